// Controls: each function builds its elements and returns a function that paints them.
const liveControls = (() => {
    "use strict";

    const {
        MANY_CLASSES, compare, weightText, factorLabel, element, caption, button, scrolling, setText, setScore,
    } = liveElements;

    /** Sliders reach from 1/100 to 100, further if the fitted weights do, on a scale of powers of ten. */
    const DECADES = 2;
    const SLIDER_STEP = 0.01;
    /** Pause after the last change before a screen reader announces the value. */
    const QUIET_MS = 400;

    // ---- The selected metric ---------------------------------------------------------------------------------------

    function buildScore(metrics, selected, onSelect) {
        const select = element("select", { id: "live-metric" });
        for (const { name } of metrics) {
            const text = name.length > 60 ? `${name.slice(0, 59)}…` : name;
            select.append(element("option", { value: name }, text));
        }
        select.selectedIndex = selected;
        select.addEventListener("change", () => onSelect(select.selectedIndex));
        // An output would be announced at every change; the status region below waits for the last one.
        const now = element("output", { id: "live-value", "aria-live": "off" });
        const clean = baseline("live-clean", "unadjusted");
        const fitted = baseline("live-fitted", "fitted");
        const root = element("div", { class: "live-score" },
            element("div", { class: "live-pick" }, element("label", { for: "live-metric" }, "Metric"), select),
            element("div", { class: "live-now" }, caption("now"), now),
            clean.root, fitted.root);
        const paint = (value, cleanValue, fittedValue) => {
            setScore(now, value);
            clean.paint(value, cleanValue);
            fitted.paint(value, fittedValue);
        };
        return { root, paint };
    }

    function baseline(id, name) {
        const value = element("span", { id, class: "live-baseline-value" });
        const arrow = element("span", { "aria-hidden": "true" });
        const text = element("span");
        const difference = element("span", { id: `${id}-difference`, class: "live-difference" }, arrow, " ", text);
        const root = element("div", { class: "live-baseline" }, caption(name), value, difference);
        const paint = (current, own) => {
            setScore(value, own);
            const compared = compare(current, own);
            setText(arrow, compared.arrow);
            setText(text, compared.text);
            difference.dataset.trend = compared.trend;
        };
        return { root, paint };
    }

    // ---- A row per class -------------------------------------------------------------------------------------------

    /** Powers of ten on either side of 1, which stays in the middle. */
    function sliderReach(factors) {
        const distances = factors.filter((factor) => factor > 0).map((factor) => Math.abs(Math.log10(factor)));
        return Math.max(DECADES, ...distances.map(Math.ceil));
    }

    /** The slider moves a factor, the weight relative to `equal`, that of an unadjusted class; the number is the weight. */
    function buildClass(k, name, reach, fittedFactor, equal, onFactor) {
        const label = element("label", { for: `live-slider-${k}`, id: `live-name-${k}`, title: name }, name);
        const slider = element("input", {
            type: "range", id: `live-slider-${k}`, "data-class": k, min: -reach, max: reach, step: SLIDER_STEP,
        });
        const number = element("input", {
            type: "number", "data-class": k, min: 0, step: "any", inputmode: "decimal",
            "aria-labelledby": `live-name-${k} live-factor-label`,
        });
        const marks = [mark("live-one", 0, reach)];
        if (fittedFactor > 0) marks.push(mark("live-fit", Math.log10(fittedFactor), reach));
        const root = element("div", { class: "live-class" },
            label, element("span", { class: "live-track" }, ...marks, slider), number);

        let drawn = NaN;
        const paintNumber = () => {
            number.value = weightText(drawn * equal);
            number.removeAttribute("aria-invalid");
        };
        const paint = (factor) => {
            if (factor === drawn) return;
            drawn = factor;
            slider.value = factor > 0 ? Math.log10(factor) : -reach; // the browser clamps it
            slider.setAttribute("aria-valuetext", factorLabel(factor));
            // While the user types "2.50", do not rewrite it as "2.5".
            const isSame = Math.abs(number.valueAsNumber - factor * equal) <= 1e-9 * factor;
            if (document.activeElement !== number || !isSame) paintNumber();
        };
        slider.addEventListener("input", () => onFactor(k, 10 ** Number(slider.value)));
        number.addEventListener("input", () => {
            const isWeight = number.valueAsNumber >= 0;
            number.setAttribute("aria-invalid", String(!isWeight));
            if (isWeight) onFactor(k, number.valueAsNumber / equal);
        });
        number.addEventListener("blur", paintNumber); // an invalid input falls back to the last valid one
        return { root, paint, name: name.toLowerCase() };
    }

    function mark(className, decades, reach) {
        const made = element("span", { class: `live-mark ${className}`, "aria-hidden": "true" });
        made.style.setProperty("--at", String((decades + reach) / (2 * reach)));
        return made;
    }

    function buildLegend(equal) {
        return element("p", { class: "live-legend" },
            element("span", { id: "live-factor-label" }, "Weight"),
            ` of each class, as in model.json; ${weightText(equal)} is unadjusted. `,
            element("span", { class: "live-keys", "aria-hidden": "true" },
                element("span", {}, element("i", { class: "live-one" }), "unadjusted"),
                element("span", { class: "live-fit-key" }, element("i", { class: "live-fit" }), "fitted")));
    }

    function boxOfRows(rows) {
        const roots = rows.map(({ root }) => root);
        return rows.length > MANY_CLASSES ? scrolling("Weights", ...roots) : element("div", {}, ...roots);
    }

    function buildFilter(rows) {
        const field = element("input", { type: "search", id: "live-filter", autocomplete: "off" });
        const found = caption("");
        const apply = () => {
            const query = field.value.trim().toLowerCase();
            let shown = 0;
            for (const row of rows) {
                row.root.hidden = !row.name.includes(query);
                if (!row.root.hidden) shown++;
            }
            setText(found, `${shown} of ${rows.length} classes`);
        };
        field.addEventListener("input", apply);
        apply();
        const label = element("label", { for: "live-filter" }, "Find class");
        return element("div", { class: "live-filter" }, label, field, found);
    }

    // ---- Raw or calibrated probabilities ---------------------------------------------------------------------------

    function buildBase(onBase) {
        const choice = (value, text) => {
            const radio = element("input", { type: "radio", name: "live-base", id: `live-base-${value}`, value });
            radio.addEventListener("change", () => onBase(value));
            return { value, radio, root: element("label", { class: "live-choice" }, radio, " ", text) };
        };
        const choices = [choice("clean", "raw"), choice("model", "calibrated by the model")];
        const legend = element("legend", {}, "Probabilities");
        const root = element("fieldset", { class: "live-base" }, legend, ...choices.map((choice) => choice.root));
        const paint = (base) => choices.forEach(({ value, radio }) => { radio.checked = value === base; });
        return { root, paint };
    }

    /** The status region for screen readers. */
    function buildStatus() {
        const root = element("p", { id: "live-status", class: "live-hidden", role: "status", "aria-live": "polite" });
        let waiting;
        const announce = (text, delay = QUIET_MS) => {
            clearTimeout(waiting);
            waiting = setTimeout(() => { root.textContent = text; }, delay);
        };
        return { root, announce };
    }

    // ---- Copying ---------------------------------------------------------------------------------------------------

    /** The button, a confirmation, and a text to copy by hand if the browser denies access to the clipboard. */
    function buildCopy(makeText, announce) {
        const text = element("textarea", {
            id: "live-model-text", rows: 8, readonly: "", "aria-label": "model.json", spellcheck: "false",
        });
        const message = element("span", { id: "live-copied", "aria-hidden": "true" });
        text.hidden = true;
        const show = (words) => {
            message.textContent = words;
            announce(words, 0);
        };
        const offer = (model) => {
            text.value = model;
            text.hidden = false;
            text.focus();
            text.select();
            show("Press Ctrl+C or ⌘C to copy");
        };
        const copy = async () => {
            const model = makeText();
            if (model === null) return show("At least one weight must be above 0");
            try {
                await navigator.clipboard.writeText(model);
                text.hidden = true;
                show("Copied");
            } catch {
                offer(model);
            }
        };
        // The shown text would be outdated.
        const clear = () => {
            text.hidden = true;
            message.textContent = "";
        };
        const press = button("live-copy", "Copy as model.json", copy);
        const root = element("div", { class: "live-copy" }, press, message, text);
        return { root, clear };
    }

    return { buildScore, sliderReach, buildClass, buildLegend, boxOfRows, buildFilter, buildBase, buildStatus, buildCopy };
})();
