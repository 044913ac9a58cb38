// Formatting and DOM elements.
// Class and metric names may be any text, so they only become text nodes and attribute values.
const liveElements = (() => {
    "use strict";

    /** More classes get a filter above the sliders, and narrow columns in the matrix. */
    const MANY_CLASSES = 12;

    // ---- Formatting ------------------------------------------------------------------------------------------------

    function scoreText(value) {
        if (!Number.isFinite(value)) return "undefined";
        if (Math.abs(value) >= 1000) return String(Number(value.toPrecision(8)));
        return value.toFixed(4).replace(/^-(0\.0000)$/, "$1");
    }

    /** How `value` compares with `baseline`; larger is better for every metric. */
    function compare(value, baseline) {
        const difference = value - baseline;
        if (!Number.isFinite(difference)) return { trend: "none", arrow: "", text: "undefined" };
        if (Math.abs(difference) < 1e-12) return { trend: "same", arrow: "=", text: "equal" };
        const size = Math.abs(difference) < 0.00005 ? "less than 0.0001" : scoreText(Math.abs(difference));
        if (difference > 0) return { trend: "up", arrow: "▲", text: `${size} better` };
        return { trend: "down", arrow: "▼", text: `${size} worse` };
    }

    const factorText = (factor) => String(Number(factor.toPrecision(factor < 0.01 ? 3 : 4)));
    /** As `cwplugin fit --verbose` prints weights, with more digits if they are small. */
    const weightText = (weight) => String(Number(weight >= 0.001 ? weight.toFixed(6) : weight.toPrecision(4)));
    const countText = (count) => String(Number(count.toFixed(3)));
    const percentText = (share) => `${(100 * share).toFixed(1)}%`;
    /** Blank names in quotes. */
    const nameText = (name) => (name.trim() === "" ? `“${name}”` : name);
    const grouped = (count) => count.toLocaleString("en");

    function factorLabel(factor) {
        if (factor === 0) return "0: never predicted";
        return factorText(factor) === "1" ? "1: unadjusted" : `${factorText(factor)} times`;
    }

    function roundingText({ type, low }) {
        if (type === "f32") return "to single precision";
        return `within ${Number((50 * -low / 65534).toPrecision(1))}%`;
    }

    // ---- Elements --------------------------------------------------------------------------------------------------

    function element(name, attributes = {}, ...children) {
        const made = document.createElement(name);
        for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
        made.append(...children);
        return made;
    }

    const caption = (text) => element("span", { class: "live-caption" }, text);

    function button(id, text, action) {
        const made = element("button", { id, type: "button" }, text);
        made.addEventListener("click", action);
        return made;
    }

    /** A scrolling box; focusable, so that the arrow keys scroll it. */
    const scrolling = (label, ...children) =>
        element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, ...children);

    /** Sets the text, if it differs. */
    function setText(target, text) {
        if (target.textContent !== text) target.textContent = text;
    }

    function setScore(target, value) {
        setText(target, scoreText(value));
        target.dataset.value = String(value);
    }

    return {
        MANY_CLASSES, scoreText, compare, weightText, countText, percentText, nameText, grouped, factorLabel, roundingText, element,
        caption, button, scrolling, setText, setScore,
    };
})();
