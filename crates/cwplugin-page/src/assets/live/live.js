// The part of the page that can be moved: a weight per class, and what becomes of the predictions and the metrics.
(() => {
    "use strict";

    const { readPayload, predict, countCells, countDifferences, modelText } = liveRows;
    const { runProgram } = livePrograms;
    const { MANY_CLASSES, scoreText, compare, nameText, grouped, element, button, setText } = liveWords;
    const { buildScore, sliderReach, buildClass, buildLegend, boxOfRows, buildFilter, buildBase, buildVoice, buildCopy } =
        liveControls;
    const { MOST_DRAWN, buildMatrix, tooLarge, buildMetrics, buildNotes } = liveTables;

    /** Everything that stays as it is while the weights move, and a judge of weights. */
    function readCase(payload) {
        const data = readPayload(payload);
        const metrics = payload.metrics.filter(({ program }) => program !== null);
        if (metrics.length === 0) throw new Error("none of the metrics can be computed here");
        const judge = (base, weights) => {
            const probabilities = base === "model" ? data.mended : data.probabilities;
            const predicted = predict(probabilities, weights, new Uint16Array(data.n));
            const confusion = countCells(predicted, data);
            return { predicted, confusion, scores: metrics.map(({ program }) => runProgram(program, confusion)) };
        };
        // 1/m and not 1, as in the library: the scale decides nothing, except which products round to the same number.
        const cleanWeights = new Float64Array(data.m).fill(1 / data.m);
        return {
            ...data,
            metrics,
            unknown: payload.metrics.filter(({ program }) => program === null),
            calibration: payload.model.calibration ?? null,
            cleanWeights,
            judge,
            clean: judge("clean", cleanWeights),
            fitted: judge("model", data.fittedWeights),
        };
    }

    function start(app, payload) {
        const given = readCase(payload);
        const { m, metrics } = given;
        const state = {
            base: "model",
            weights: given.fittedWeights,
            chosen: Math.max(0, metrics.findIndex(({ name }) => name === payload.chosen)),
        };
        // Many events may come between two frames; one repaint answers them all.
        let isDue = false;
        const change = (changes) => {
            Object.assign(state, changes);
            if (!isDue) requestAnimationFrame(repaintAndSay);
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
            const now = given.judge(state.base, state.weights);
            view.paint(now, state);
            // The fitted weights are for mended probabilities: elsewhere their marks would mislead.
            app.classList.toggle("live-off-model", given.calibration !== null && state.base !== "model");
            return now.scores[state.chosen];
        };
        const repaintAndSay = () => {
            const value = repaint();
            const { words } = compare(value, given.clean.scores[state.chosen]);
            view.say(`${metrics[state.chosen].name} ${scoreText(value)}. Beside the black box: ${words}.`);
        };
        repaint();
        app.replaceChildren(...view.roots);
    }

    function buildView(payload, given, state, change, setFactor) {
        const { m, metrics, clean, fitted } = given;
        const factors = Array.from(given.fittedWeights, (weight) => weight * m);
        const reach = sliderReach(factors);
        const voice = buildVoice();
        const score = buildScore(metrics, state.chosen, (chosen) => change({ chosen }));
        const base = buildBase((value) => change({ base: value }));
        const names = payload.classes.map(nameText);
        const rows = names.map((name, k) => buildClass(k, name, reach, factors[k], setFactor));
        const matrix = m <= MOST_DRAWN ? buildMatrix(names) : tooLarge(m);
        const table = buildMetrics(metrics);
        const changed = element("p", { id: "live-changed" });
        const copy = buildCopy(() => modelNow(payload.model, given.calibration, state), voice.say);
        const startFrom = (base, weights) => change({ base, weights });
        const resets = element("div", { class: "live-buttons" },
            button("live-reset-clean", "Black box as it is", () => startFrom("clean", given.cleanWeights)),
            button("live-reset-fitted", "Fitted weights", () => startFrom("model", given.fittedWeights)));

        const weights = element("div", { class: "live-weights" },
            element("h3", {}, "Weight of each class"), buildLegend(),
            ...(given.calibration ? [base.root] : []), resets,
            ...(m > MANY_CLASSES ? [buildFilter(rows)] : []), boxOfRows(rows), copy.root);
        const picture = element("div", { class: "live-picture" },
            element("h3", {}, "What is taken for what"), changed, matrix.root);
        const paint = (now, { base: from, weights: moved, chosen }) => {
            score.paint(...[now, clean, fitted].map(({ scores }) => scores[chosen]));
            base.paint(from);
            rows.forEach((row, k) => row.paint(moved[k] * m));
            matrix.paint(now.confusion);
            table.paint([now, clean, fitted], chosen);
            setText(changed, changedText(now, clean, fitted));
            copy.clear();
        };
        const roots = [
            score.root, buildNotes(payload, given.unknown),
            element("div", { class: m > MANY_CLASSES ? "live-columns live-many" : "live-columns" }, weights, picture),
            element("h3", {}, "All metrics"), table.root, voice.root,
        ];
        return { roots, paint, say: voice.say };
    }

    function changedText(now, clean, fitted) {
        const [fromClean, fromFitted] = [clean, fitted].map(({ predicted }) =>
            grouped(countDifferences(now.predicted, predicted)));
        const n = now.predicted.length;
        return `Of ${grouped(n)} ${n === 1 ? "row" : "rows"}, ${fromClean} predicted otherwise than by the black box, ` +
            `${fromFitted} otherwise than by the fitted model.`;
    }

    /** The model that the weights above make; null if they make none. */
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
            app.replaceChildren(element("p", {}, `The weights cannot be moved in this page: ${problem.message}.`));
        }
    }

    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", open);
    else open();
})();
