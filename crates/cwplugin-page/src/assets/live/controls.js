// What the reader moves: each part builds its elements and gives back how to paint them.
const liveControls = (() => {
    "use strict";

    const {
        MANY_CLASSES, compare, factorText, spokenFactor, element, caption, button, scrolling, setText, setScore,
    } = liveWords;

    /** Sliders go from 1/100 to 100 times, further if the fitted weights do; their unit is a power of ten. */
    const DECADES = 2;
    const SLIDER_STEP = 0.01;
    /** So long nothing must move before the new value is read out. */
    const QUIET_MS = 400;

    // ---- The score on top ------------------------------------------------------------------------------------------

    function buildScore(metrics, chosen, onChoose) {
        const select = element("select", { id: "live-metric" });
        for (const { name } of metrics) {
            const text = name.length > 60 ? `${name.slice(0, 59)}…` : name;
            select.append(element("option", { value: name }, text));
        }
        select.selectedIndex = chosen;
        select.addEventListener("change", () => onChoose(select.selectedIndex));
        // An output speaks by itself at every change; the region below speaks once, after the last.
        const now = element("output", { id: "live-value", "aria-live": "off" });
        const clean = rival("live-clean", "black box");
        const fitted = rival("live-fitted", "fitted");
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

    function rival(id, name) {
        const value = element("span", { id, class: "live-rival-value" });
        const arrow = element("span", { "aria-hidden": "true" });
        const words = element("span");
        const difference = element("span", { id: `${id}-difference`, class: "live-difference" }, arrow, " ", words);
        const root = element("div", { class: "live-rival" }, caption(name), value, difference);
        const paint = (now, then) => {
            setScore(value, then);
            const compared = compare(now, then);
            setText(arrow, compared.arrow);
            setText(words, compared.words);
            difference.dataset.trend = compared.trend;
        };
        return { root, paint };
    }

    // ---- A row per class -------------------------------------------------------------------------------------------

    /** How many powers of ten a slider reaches in either direction: 1 stays in the middle. */
    function sliderReach(factors) {
        const distances = factors.filter((factor) => factor > 0).map((factor) => Math.abs(Math.log10(factor)));
        return Math.max(DECADES, ...distances.map(Math.ceil));
    }

    function buildClass(k, name, reach, fittedFactor, onFactor) {
        const label = element("label", { for: `live-slider-${k}`, id: `live-name-${k}`, title: name }, name);
        const slider = element("input", {
            type: "range", id: `live-slider-${k}`, "data-class": k, min: -reach, max: reach, step: SLIDER_STEP,
        });
        const number = element("input", {
            type: "number", "data-class": k, min: 0, step: "any", inputmode: "decimal",
            "aria-labelledby": `live-name-${k} live-factor-word`,
        });
        const marks = [mark("live-one", 0, reach)];
        if (fittedFactor > 0) marks.push(mark("live-fit", Math.log10(fittedFactor), reach));
        const root = element("div", { class: "live-class" },
            label, element("span", { class: "live-track" }, ...marks, slider), number);

        let drawn = NaN;
        const paintNumber = () => {
            number.value = factorText(drawn);
            number.removeAttribute("aria-invalid");
        };
        const paint = (factor) => {
            if (factor === drawn) return;
            drawn = factor;
            slider.value = factor > 0 ? Math.log10(factor) : -reach; // the browser keeps it between the ends
            slider.setAttribute("aria-valuetext", spokenFactor(factor));
            // Not under the fingers of somebody who is typing: "2.50" must not become "2.5".
            const isSame = Math.abs(number.valueAsNumber - factor) <= 1e-9 * factor;
            if (document.activeElement !== number || !isSame) paintNumber();
        };
        slider.addEventListener("input", () => onFactor(k, 10 ** Number(slider.value)));
        number.addEventListener("input", () => {
            const isWeight = number.valueAsNumber >= 0;
            number.setAttribute("aria-invalid", String(!isWeight));
            if (isWeight) onFactor(k, number.valueAsNumber);
        });
        number.addEventListener("blur", paintNumber); // what is no weight becomes the last one that was
        return { root, paint, name: name.toLowerCase() };
    }

    function mark(className, decades, reach) {
        const made = element("span", { class: `live-mark ${className}`, "aria-hidden": "true" });
        made.style.setProperty("--at", String((decades + reach) / (2 * reach)));
        return made;
    }

    function buildLegend() {
        return element("p", { class: "live-legend" },
            element("span", { id: "live-factor-word" }, "Factor"),
            " on the probability of the class: 1 leaves it as it is. ",
            element("span", { class: "live-keys", "aria-hidden": "true" },
                element("span", {}, element("i", { class: "live-one" }), "1"),
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
            const wanted = field.value.trim().toLowerCase();
            let shown = 0;
            for (const row of rows) {
                row.root.hidden = !row.name.includes(wanted);
                if (!row.root.hidden) shown++;
            }
            setText(found, `${shown} of ${rows.length} classes`);
        };
        field.addEventListener("input", apply);
        apply();
        const label = element("label", { for: "live-filter" }, "Find a class");
        return element("div", { class: "live-filter" }, label, field, found);
    }

    // ---- Where to start from ---------------------------------------------------------------------------------------

    function buildBase(onBase) {
        const choice = (value, text) => {
            const radio = element("input", { type: "radio", name: "live-base", id: `live-base-${value}`, value });
            radio.addEventListener("change", () => onBase(value));
            return { value, radio, root: element("label", { class: "live-choice" }, radio, " ", text) };
        };
        const choices = [choice("clean", "the probabilities as they are"), choice("model", "as the model mends them")];
        const legend = element("legend", {}, "Start from");
        const root = element("fieldset", { class: "live-base" }, legend, ...choices.map((choice) => choice.root));
        const paint = (base) => choices.forEach(({ value, radio }) => { radio.checked = value === base; });
        return { root, paint };
    }

    /** One region that speaks, once things are quiet. */
    function buildVoice() {
        const root = element("p", { id: "live-said", class: "live-hidden", role: "status", "aria-live": "polite" });
        let waiting;
        const say = (text, delay = QUIET_MS) => {
            clearTimeout(waiting);
            waiting = setTimeout(() => { root.textContent = text; }, delay);
        };
        return { root, say };
    }

    // ---- Copying ---------------------------------------------------------------------------------------------------

    /** The button, a word that it worked, and a text to copy by hand where a page may not write to the clipboard. */
    function buildCopy(makeText, say) {
        const text = element("textarea", {
            id: "live-model-text", rows: 8, readonly: "", "aria-label": "model.json", spellcheck: "false",
        });
        const told = element("span", { id: "live-copied", "aria-hidden": "true" });
        text.hidden = true;
        const tell = (words) => {
            told.textContent = words;
            say(words, 0);
        };
        const offer = (model) => {
            text.value = model;
            text.hidden = false;
            text.focus();
            text.select();
            tell("Copy the selected text by Ctrl+C or ⌘C");
        };
        const copy = async () => {
            const model = makeText();
            if (model === null) return tell("At least one weight must be above 0");
            try {
                await navigator.clipboard.writeText(model);
                text.hidden = true;
                tell("Copied");
            } catch {
                offer(model);
            }
        };
        // What is shown must not be of weights that are no longer those above it.
        const clear = () => {
            text.hidden = true;
            told.textContent = "";
        };
        const press = button("live-copy", "Copy as model.json", copy);
        const root = element("div", { class: "live-copy" }, press, told, text);
        return { root, clear };
    }

    return { buildScore, sliderReach, buildClass, buildLegend, boxOfRows, buildFilter, buildBase, buildVoice, buildCopy };
})();
