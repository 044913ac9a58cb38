// The interactive section: a slider per class, and the predictions and metrics that follow from the weights.
(() => {
    "use strict";

    const { readPayload, predict, countCells, countDifferences, modelText } = liveRows;
    const { runProgram } = livePrograms;
    const { MANY_CLASSES, scoreText, compare, nameText, grouped, element, button, setText } = liveElements;
    const { buildScore, sliderReach, buildClass, buildLegend, boxOfRows, buildFilter, buildBase, buildStatus, buildCopy } =
        liveControls;
    const { MOST_DRAWN, buildMatrix, tooLarge, buildMetrics, buildNotes } = liveTables;

    /** Everything that does not depend on the sliders, and `evaluate`, which scores weights. */
    function readCase(payload) {
        const data = readPayload(payload);
        const metrics = payload.metrics.filter(({ program }) => program !== null);
        if (metrics.length === 0) throw new Error("no metric can be computed in the browser");
        const evaluate = (base, weights) => {
            const probabilities = base === "model" ? data.calibrated : data.probabilities;
            const predicted = predict(probabilities, weights, new Uint16Array(data.n));
            const confusion = countCells(predicted, data);
            return { predicted, confusion, scores: metrics.map(({ program }) => runProgram(program, confusion)) };
        };
        // 1/m as in the library: another scale could round products to another tie.
        const cleanWeights = new Float64Array(data.m).fill(1 / data.m);
        return {
            ...data,
            metrics,
            notComputed: payload.metrics.filter(({ program }) => program === null),
            calibration: payload.model.calibration ?? null,
            cleanWeights,
            evaluate,
            clean: evaluate("clean", cleanWeights),
            fitted: evaluate("model", data.fittedWeights),
        };
    }

    function start(app, payload) {
        const given = readCase(payload);
        const { m, metrics } = given;
        const state = {
            base: "model",
            weights: given.fittedWeights,
            selected: Math.max(0, metrics.findIndex(({ name }) => name === payload.selectedMetric)),
        };
        // One repaint per frame, however many events.
        let isDue = false;
        const change = (changes) => {
            Object.assign(state, changes);
            if (!isDue) requestAnimationFrame(repaintAndAnnounce);
            isDue = true;
        };
        const setFactor = (k, factor) => {
            const weights = state.weights.slice();
            weights[k] = factor / m;
            change({ weights });
        };

        const view = buildView(payload, given, state, change, setFactor);
        const repaint = () => {
            isDue = false;
            const now = given.evaluate(state.base, state.weights);
            view.paint(now, state);
            // The fitted weights apply to calibrated probabilities: hide their marks otherwise.
            app.classList.toggle("live-off-model", given.calibration !== null && state.base !== "model");
            return now.scores[state.selected];
        };
        const repaintAndAnnounce = () => {
            const value = repaint();
            const { text } = compare(value, given.clean.scores[state.selected]);
            view.announce(`${metrics[state.selected].name} ${scoreText(value)}. Compared with unadjusted: ${text}.`);
        };
        repaint();
        app.replaceChildren(...view.roots);
    }

    function buildView(payload, given, state, change, setFactor) {
        const { m, metrics, clean, fitted } = given;
        const factors = Array.from(given.fittedWeights, (weight) => weight * m);
        const reach = sliderReach(factors);
        const status = buildStatus();
        const score = buildScore(metrics, state.selected, (selected) => change({ selected }));
        const base = buildBase((value) => change({ base: value }));
        const names = payload.classes.map(nameText);
        const rows = names.map((name, k) => buildClass(k, name, reach, factors[k], 1 / m, setFactor));
        const matrix = m <= MOST_DRAWN ? buildMatrix(names) : tooLarge(m);
        const table = buildMetrics(metrics);
        const changed = element("p", { id: "live-changed" });
        const copy = buildCopy(() => modelNow(payload.model, given.calibration, state), status.announce);
        const startFrom = (base, weights) => change({ base, weights });
        const resets = element("div", { class: "live-buttons" },
            button("live-reset-clean", "Unadjusted", () => startFrom("clean", given.cleanWeights)),
            button("live-reset-fitted", "Fitted", () => startFrom("model", given.fittedWeights)));

        const weights = element("div", { class: "live-weights" },
            element("h3", {}, "Weights"), buildLegend(1 / m),
            ...(given.calibration ? [base.root] : []), resets,
            ...(m > MANY_CLASSES ? [buildFilter(rows)] : []), boxOfRows(rows), copy.root);
        const picture = element("div", { class: "live-picture" },
            element("h3", {}, "Confusion matrix"), changed, matrix.root);
        const paint = (now, { base: from, weights: current, selected }) => {
            score.paint(...[now, clean, fitted].map(({ scores }) => scores[selected]));
            base.paint(from);
            rows.forEach((row, k) => row.paint(current[k] * m));
            matrix.paint(now.confusion);
            table.paint([now, clean, fitted], selected);
            setText(changed, changedText(now, clean, fitted));
            copy.clear();
        };
        const roots = [
            score.root, buildNotes(payload, given.notComputed),
            element("div", { class: m > MANY_CLASSES ? "live-columns live-many" : "live-columns" }, weights, picture),
            element("h3", {}, "All metrics"), table.root, status.root,
        ];
        return { roots, paint, announce: status.announce };
    }

    function changedText(now, clean, fitted) {
        const [fromClean, fromFitted] = [clean, fitted].map(({ predicted }) =>
            grouped(countDifferences(now.predicted, predicted)));
        const n = now.predicted.length;
        return `Changed predictions: ${fromClean} of ${grouped(n)} compared with unadjusted, ${fromFitted} with fitted.`;
    }

    /** The model file of the present weights; null if all are 0. */
    function modelNow(model, calibration, { base, weights }) {
        if (!weights.some((weight) => weight > 0)) return null;
        return modelText(model, base === "model" ? calibration : null, weights);
    }

    function open() {
        const app = document.getElementById("live-app");
        if (!app) return;
        try {
            start(app, JSON.parse(document.getElementById("live-data").textContent));
        } catch (problem) {
            app.replaceChildren(element("p", {}, `This section does not work: ${problem.message}.`));
        }
    }

    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", open);
    else open();
})();
