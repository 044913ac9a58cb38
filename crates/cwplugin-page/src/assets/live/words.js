// Words, numbers and elements: what all parts of the page are made of.
// Class names and metric names are any text at all, so they only ever become text nodes and attribute values.
const liveWords = (() => {
    "use strict";

    /** From so many classes on there is a filter above the sliders, and narrow columns in the matrix. */
    const MANY_CLASSES = 12;

    // ---- Words and numbers -----------------------------------------------------------------------------------------

    function scoreText(value) {
        if (!Number.isFinite(value)) return "no number";
        if (Math.abs(value) >= 1000) return String(Number(value.toPrecision(8)));
        return value.toFixed(4).replace(/^-(0\.0000)$/, "$1");
    }

    /** How `now` compares with `then`: larger is better for every metric. */
    function compare(now, then) {
        const difference = now - then;
        if (!Number.isFinite(difference)) return { trend: "none", arrow: "", words: "cannot be compared" };
        if (Math.abs(difference) < 1e-12) return { trend: "same", arrow: "=", words: "the same" };
        const size = Math.abs(difference) < 0.00005 ? "less than 0.0001" : scoreText(Math.abs(difference));
        if (difference > 0) return { trend: "up", arrow: "▲", words: `now ${size} better` };
        return { trend: "down", arrow: "▼", words: `now ${size} worse` };
    }

    const factorText = (factor) => String(Number(factor.toPrecision(factor < 0.01 ? 3 : 4)));
    const countText = (count) => String(Number(count.toFixed(3)));
    const percentText = (share) => `${(100 * share).toFixed(1)} %`;
    /** A name that nobody could see stands in quotes. */
    const nameText = (name) => (name.trim() === "" ? `“${name}”` : name);
    const grouped = (count) => count.toLocaleString("en");

    function spokenFactor(factor) {
        if (factor === 0) return "0: never predicted";
        return factorText(factor) === "1" ? "1: as the black box" : `${factorText(factor)} times`;
    }

    function roundingText({ type, low }) {
        if (type === "f32") return "to single precision";
        return `within ${Number((50 * -low / 65534).toPrecision(1))} %`;
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

    /** A box that scrolls by itself; it takes the focus, so that the arrow keys can scroll it. */
    const scrolling = (label, ...children) =>
        element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": label }, ...children);

    /** Writes only what has changed: most of what is repainted has not. */
    function setText(target, text) {
        if (target.textContent !== text) target.textContent = text;
    }

    function setScore(target, value) {
        setText(target, scoreText(value));
        target.dataset.value = String(value);
    }

    return {
        MANY_CLASSES, scoreText, compare, factorText, countText, percentText, nameText, grouped, spokenFactor, roundingText, element,
        caption, button, scrolling, setText, setScore,
    };
})();
