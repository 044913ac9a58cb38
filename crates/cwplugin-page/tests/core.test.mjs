// node --test core.test.mjs: decoding, calibration, predictions and metrics of the page, without a browser.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { runInThisContext } from "node:vm";

const source = (name) => readFileSync(new URL(`../src/assets/live/${name}.js`, import.meta.url), "utf8");
const core = runInThisContext(`${source("rows")}${source("programs")}; ({ ...liveRows, ...livePrograms })`);

const base64 = (numbers) => Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString("base64");

function encodeProbabilities(values, type, low = -30) {
    if (type === "f64") return { type, low: 0, data: base64(Float64Array.from(values)) };
    if (type === "f32") return { type, low: 0, data: base64(Float32Array.from(values)) };
    const code = (p) => (p <= 0 ? 0 : Math.min(65535, Math.max(1, 1 + Math.round(65534 * (1 - Math.log(p) / low)))));
    return { type, low, data: base64(Uint16Array.from(values, code)) };
}

function randomFrom(seed) {
    return () => {
        seed = (1103515245 * seed + 12345) % 2 ** 31;
        return seed / 2 ** 31;
    };
}

/** Random rows of probabilities, and the class of each. */
function makeRows(n, m, seed) {
    const random = randomFrom(seed);
    const labels = Uint16Array.from({ length: n }, () => Math.floor(m * random()));
    const probabilities = new Float64Array(n * m);
    for (let row = 0; row < n; row++) {
        const scores = Array.from({ length: m }, () => -Math.log(1 - random()));
        const sum = scores.reduce((a, b) => a + b);
        scores.forEach((score, k) => { probabilities[row * m + k] = score / sum; });
    }
    return { labels, probabilities };
}

function makePayload({ classes, n, weights, calibration = null }) {
    const { labels, probabilities } = makeRows(n, classes.length, 1);
    const model = { format: "cwplugin-model", version: 1, cwplugin: "0.1.0", classes, calibration, weights, fit: null };
    return {
        classes, rows: n, labelledRows: n, labels: base64(labels), rowWeights: null,
        probabilities: encodeProbabilities(probabilities, "f64"), calibrated: null, model, metrics: [], selectedMetric: null,
    };
}

const near = (found, expected, what) =>
    assert.ok(Object.is(found, expected) || Math.abs(found - expected) <= 1e-12, `${what}: ${found}, not ${expected}`);
const matrix = (...rows) => core.withMargins(Float64Array.from(rows.flat()), rows.length);
const ASYMMETRIC = matrix([6, 3, 1], [0, 4, 0], [2, 0, 0]);
const once = (...steps) => ({ stored: 0, stages: [{ reduce: null, slot: 0, steps }] });
const over = (reduce, ...steps) => ({ stored: 0, stages: [{ reduce, slot: 0, steps }] });
const evaluate = (...steps) => core.runProgram(once(...steps.map((step) => (typeof step === "number" ? ["number", step] : step))), ASYMMETRIC);
const NAN = [["number", 1e308], ["number", 10], ["*"]];

test("probabilities of three encodings are decoded", () => {
    const values = [0, 1, 0.25, 1e-9, 0.7, Math.exp(-30)];
    assert.deepEqual([...core.decodeProbabilities(encodeProbabilities(values, "f64"), 6)], values);
    assert.deepEqual([...core.decodeProbabilities(encodeProbabilities(values, "f32"), 6)], values.map(Math.fround));
    const rounded = core.decodeProbabilities(encodeProbabilities(values, "log16", -30), 6);
    assert.equal(rounded[0], 0);
    assert.equal(rounded[1], 1);
    assert.equal(rounded[5], Math.exp(-30));
    values.slice(2).forEach((value, i) => assert.ok(Math.abs(rounded[i + 2] / value - 1) < 0.00024));
    const codes = { type: "log16", low: -10, data: base64(Uint16Array.of(0, 1, 65535, 32768)) };
    assert.deepEqual([...core.decodeProbabilities(codes, 4)], [0, Math.exp(-10), 1, Math.exp(-5)]);
});

test("an incomplete payload is refused", () => {
    const complete = makePayload({ classes: ["a", "b"], n: 5, weights: [1, 2] });
    assert.equal(core.readPayload(complete).n, 5);
    const unknown = { kind: "unknown" };
    for (const broken of [
        { rows: 6 }, { classes: ["a", "b", "c"] }, { labels: base64(Uint16Array.of(0, 1, 2, 0, 0)) },
        { probabilities: { type: "f16", data: "" } }, { rowWeights: base64(new Float64Array(4)) },
        { model: { ...complete.model, weights: [1] } }, { model: { ...complete.model, calibration: unknown } },
        { model: { ...complete.model, calibration: { kind: "logistic", input: "features" } } },
    ]) assert.throws(() => core.readPayload({ ...complete, ...broken }), JSON.stringify(broken));
});

test("a model that uses features comes with calibrated probabilities", () => {
    const payload = makePayload({ classes: ["a", "b"], n: 2, weights: [1, 2], calibration: { kind: "logistic", input: "features" } });
    payload.calibrated = encodeProbabilities([0.5, 0.5, 0.25, 0.75], "f64");
    assert.deepEqual([...core.readPayload(payload).calibrated], [0.5, 0.5, 0.25, 0.75]);
});

test("ties go to the first class, and so do rows whose products are all 0", () => {
    const p = Float64Array.of(0.2, 0.4, 0.4, 0.5, 0.25, 0.25, 0, 0, 1);
    const predict = (...weights) => [...core.predict(p, Float64Array.from(weights), new Uint16Array(3))];
    assert.deepEqual(predict(1, 1, 1), [1, 0, 2]);
    assert.deepEqual(predict(1, 2, 2), [1, 0, 2]);
    assert.deepEqual(predict(0, 1, 0), [1, 1, 0]);
    assert.deepEqual(predict(0, 0, 0), [0, 0, 0]);
});

/** As the Python code of docs/model-format.md, row by row. */
function plainCalibrate(calibration, row) {
    if (calibration.kind === "probing") {
        const shares = row.map(() => 0);
        for (const { share, factors } of calibration.steps) {
            const products = row.map((p, k) => p * factors[k]);
            shares[products.indexOf(Math.max(...products))] += share;
        }
        return shares.map((share) => Math.round(share * 2 ** 36) / 2 ** 36);
    }
    const floor = calibration.floor ?? Number.EPSILON;
    const x = calibration.input === "log" ? row.map((p) => Math.log(Math.max(p, floor))) : row;
    const z = calibration.bias.map((c, k) => calibration.diagonal
        ? c + calibration.diagonal[k] * x[k]
        : c + calibration.matrix[k].reduce((sum, slope, j) => sum + slope * x[j], 0));
    const top = Math.max(...z);
    const q = z.map((value) => Math.exp(value - top));
    const sum = q.reduce((a, b) => a + b);
    return q.map((value) => value / sum);
}

test("calibration follows the model format", () => {
    const m = 4;
    const { probabilities } = makeRows(200, m, 5);
    probabilities.set([0, 0, 0.5, 0.5, 1, 0, 0, 0]);
    const random = randomFrom(9);
    const numbers = (scale) => Array.from({ length: m }, () => scale * (random() - 0.3));
    const steps = [0.1, 0.4, 0.2, 0.3].map((share) => ({ share, factors: numbers(2) }));
    for (const calibration of [
        { kind: "bcts", input: "log", diagonal: numbers(2), bias: numbers(1) },
        { kind: "vector", input: "probability", diagonal: numbers(5), bias: numbers(1) },
        { kind: "dirichlet", input: "log", matrix: [numbers(1), numbers(1), numbers(1), numbers(1)], bias: numbers(1) },
        { kind: "expected", input: "log", floor: 0.01, diagonal: numbers(2), bias: numbers(1) },
        { kind: "probing", steps },
    ]) {
        const calibrated = core.calibrate(calibration, probabilities, m);
        for (let row = 0; row < 200; row++) {
            const expected = plainCalibrate(calibration, [...probabilities.subarray(row * m, (row + 1) * m)]);
            expected.forEach((value, k) => near(calibrated[row * m + k], value, `${calibration.kind}, row ${row}`));
        }
    }
    assert.equal(core.calibrate(null, probabilities, m), probabilities);
});

test("shares that differ by rounding only are equal", () => {
    const toFirst = [1, 0];
    const toSecond = [0, 1];
    const steps = [[0.1, toFirst], [0.2, toSecond], [0.4, toFirst], [0.3, toSecond]].map(([share, factors]) => ({ share, factors }));
    assert.deepEqual([...core.calibrate({ kind: "probing", steps }, Float64Array.of(0.5, 0.5), 2)], [0.5, 0.5]);
});

test("rows are counted by truth and prediction, with their weights", () => {
    const data = { m: 2, labels: Uint16Array.of(0, 0, 1), rowWeights: Float64Array.of(0.5, 2, 4) };
    const confusion = core.countCells(Uint16Array.of(0, 1, 0), data);
    assert.deepEqual([...confusion.cells], [0.5, 2, 4, 0]);
    assert.deepEqual([[...confusion.truth], [...confusion.predicted], confusion.total], [[2.5, 4], [4.5, 2], 6.5]);
});

test("quantities of a class", () => {
    const of = (quantity) => evaluate(["of", quantity, 0]);
    const expected = { tp: 6, fp: 2, fn: 4, tn: 4, support: 10, predicted: 8, precision: 0.75, recall: 0.6, f1: 12 / 18, specificity: 4 / 6 };
    for (const [quantity, value] of Object.entries(expected)) near(of(quantity), value, quantity);
    assert.equal(evaluate(["total"]), 16);
    assert.equal(evaluate(["classes"]), 3);
    assert.equal(evaluate(["cell", 0, 2]), 1);
});

test("edge cases of arithmetic", () => {
    assert.equal(evaluate(0, 0, ["/"]), 0);
    assert.equal(evaluate(3, 0, ["/"]), 0);
    assert.equal(evaluate(...NAN), NaN);
    assert.equal(evaluate(...NAN, 0, ["/"]), NaN);
    assert.equal(evaluate(-4, ["sqrt"]), 0);
    assert.equal(evaluate(...NAN, ["sqrt"]), NaN);
    assert.equal(evaluate(0, ["log"]), Math.log(2.2250738585072014e-308));
    assert.equal(evaluate(-1, ["log"]), Math.log(2.2250738585072014e-308));
    assert.equal(evaluate(...NAN, ["log"]), NaN);
    assert.equal(evaluate(1000, ["exp"]), NaN);
    assert.equal(evaluate(-1000, ["exp"]), 0);
    assert.equal(evaluate(-8, 0.5, ["^"]), NaN);
    assert.equal(evaluate(0, 0, ["^"]), 1);
    assert.equal(evaluate(...NAN, 0, ["^"]), NaN);
    assert.equal(evaluate(1, ...NAN, ["^"]), NaN);
    assert.equal(evaluate(0, -1, ["^"]), NaN);
    assert.equal(evaluate(1e200, ["square"]), NaN);
    assert.equal(evaluate(-3, ["square"], ["negate"], ["abs"]), 9);
    assert.equal(evaluate(2, 5, ["-"]), -3);
    assert.ok(Object.is(evaluate(0, ["negate"]), 0), "no minus zero");
    for (const [name, expected] of [["<", [1, 0, 0]], ["<=", [1, 1, 0]], [">", [0, 0, 1]], [">=", [0, 1, 1]], ["==", [0, 1, 0]], ["!=", [1, 0, 1]]]) {
        assert.deepEqual([1, 2, 3].map((x) => evaluate(x, 2, [name])), expected, name);
        assert.equal(evaluate(2, ...NAN, [name]), NaN, name);
    }
    for (const name of ["least", "greatest"]) {
        assert.equal(evaluate(...NAN, 2, [name]), NaN);
        assert.equal(evaluate(2, ...NAN, [name]), NaN);
        assert.equal(evaluate(2, 3, [name]), name === "least" ? 2 : 3);
    }
    assert.equal(evaluate(1, 5, ...NAN, ["if"]), 5);
    assert.equal(evaluate(0, ...NAN, 7, ["if"]), 7);
    assert.equal(evaluate(...NAN, 5, 7, ["if"]), NaN);
});

test("reductions are over the classes with a true or a predicted row", () => {
    const gaps = matrix([3, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [2, 0, 0, 4]); // class 2 is nowhere, 1 only predicted
    const recall = ["each", "recall"];
    near(core.runProgram(over("mean", recall), gaps), (0.75 + 0 + 4 / 6) / 3);
    near(core.runProgram(over("sum", ["number", 1]), gaps), 3);
    near(core.runProgram(over("min", recall), gaps), 0);
    near(core.runProgram(over("max", recall), gaps), 0.75);
    near(core.runProgram(over("gmean", recall), gaps), 0);
    near(core.runProgram(over("gmean", ["each", "predicted"]), gaps), Math.cbrt(5 * 1 * 4));
    near(core.runProgram(over("gmean", recall, ["number", 1], ["-"]), gaps), 0);
    // A 0 beside it does not hide a NaN.
    const nanIfOnlyPredicted = [["each", "support"], ["number", 0], ["=="], ...NAN, ["each", "fp"], ["if"]];
    for (const reduce of ["sum", "mean", "gmean", "min", "max"]) {
        assert.equal(core.runProgram(over(reduce, ...nanIfOnlyPredicted), gaps), NaN, reduce);
    }
    assert.equal(core.runProgram(over("mean", ["number", 1]), matrix([0, 0], [0, 0])), 0);
    assert.equal(core.runProgram(once(["number", 7]), matrix([0, 0], [0, 0])), 0);
});

test("slots and stored numbers", () => {
    // p = precision; r = recall; top = max(p*r); mean(p + r) / top
    const named = [["each", "precision"], ["store", 0], ["each", "recall"], ["store", 1]];
    const program = { stored: 2, stages: [
        { reduce: "max", slot: 0, steps: [...named, ["load", 0], ["load", 1], ["*"]] },
        { reduce: "mean", slot: 1, steps: [...named, ["load", 0], ["load", 1], ["+"]] },
        { reduce: null, slot: 2, steps: [["slot", 1], ["slot", 0], ["/"]] },
    ] };
    const p = [6 / 8, 4 / 7, 0];
    const r = [0.6, 1, 0];
    near(core.runProgram(program, ASYMMETRIC), (p.reduce((a, b) => a + b) + r.reduce((a, b) => a + b)) / 3 / Math.max(p[0] * r[0], p[1] * r[1]));
});

test("weights that sum to 1 stay exact, and the model text is a model", () => {
    const fitted = [0.1, 0.2, 0.7000000001];
    assert.deepEqual([...core.normalised(fitted)], fitted);
    assert.deepEqual([...core.normalised([1, 3])], [0.25, 0.75]);
    assert.deepEqual([...core.normalised([Number.MAX_VALUE, Number.MAX_VALUE])], [0.5, 0.5]);
    const model = { cwplugin: "0.1.0", classes: ["a", "</script>"] };
    const read = JSON.parse(core.modelText(model, null, Float64Array.of(2, 6)));
    assert.deepEqual(read, { format: "cwplugin-model", version: 1, cwplugin: "0.1.0", classes: model.classes, calibration: null, weights: [0.25, 0.75], fit: null });
});
