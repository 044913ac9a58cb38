// Decoding, calibration, predictions, confusion matrix and model file; edge cases as in the library.
// Tested by node without a browser.
const liveRows = (() => {
    "use strict";

    // ---- Decoding --------------------------------------------------------------------------------------------------

    /** Base64 to numbers; the payload is little endian, as are all machines with a browser. */
    function decodeNumbers(base64, NumberArray, length, what) {
        const text = atob(base64);
        const bytes = new Uint8Array(text.length);
        for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i);
        if (bytes.length !== length * NumberArray.BYTES_PER_ELEMENT) {
            throw new Error(`the ${what} in this page are incomplete`);
        }
        return new NumberArray(bytes.buffer);
    }

    function decodeProbabilities({ type, low, data }, length) {
        if (type === "f64") return decodeNumbers(data, Float64Array, length, "probabilities");
        if (type === "f32") return decodeNumbers(data, Float32Array, length, "probabilities");
        if (type !== "log16") throw new Error(`unknown type of probabilities: ${type}`);
        const codes = decodeNumbers(data, Uint16Array, length, "probabilities");
        const values = Float64Array.from({ length: 65536 }, (_, code) => decodeLog16(code, low));
        return Float64Array.from(codes, (code) => values[code]);
    }

    /** Codes 1 to 65535 are evenly spaced logarithms from `low` up to 0. */
    function decodeLog16(code, low) {
        return code === 0 ? 0 : Math.exp(low * (1 - (code - 1) / 65534));
    }

    /** The decoded payload; the model's weights apply to `calibrated`. */
    function readPayload(payload) {
        const n = payload.rows;
        const m = payload.classes.length;
        const labels = decodeNumbers(payload.labels, Uint16Array, n, "labels");
        if (labels.some((label) => label >= m)) throw new Error("unknown class among the labels");
        const probabilities = decodeProbabilities(payload.probabilities, n * m);
        const { calibration, weights } = payload.model;
        if (weights.length !== m) throw new Error("the model has another number of classes");
        return {
            n,
            m,
            labels,
            rowWeights: payload.rowWeights && decodeNumbers(payload.rowWeights, Float64Array, n, "row weights"),
            probabilities,
            calibrated: payload.calibrated
                ? decodeProbabilities(payload.calibrated, n * m)
                : calibrate(calibration, probabilities, m),
            fittedWeights: normalised(weights),
        };
    }

    // ---- Calibration -----------------------------------------------------------------------------------------------

    const MAPS = ["temperature", "bcts", "vector", "dirichlet", "logistic", "expected"];
    /** The default floor of a map. */
    const EPSILON = 2 ** -52;
    /** The exponential of less is 0, as in the library. */
    const SMALLEST_EXPONENT = -708;
    /** Shares are rounded to multiples of 2^-36, so that 0.1 + 0.4 and 0.2 + 0.3 tie. */
    const SHARE_STEPS = 2 ** 36;

    /** The calibrated probabilities of all rows; without a calibration the probabilities themselves. */
    function calibrate(calibration, probabilities, m) {
        if (!calibration) return probabilities;
        if (calibration.kind === "probing") return vote(calibration.steps, probabilities, m);
        // Ignoring an unknown calibration would give wrong predictions.
        const { kind, input } = calibration;
        if (!MAPS.includes(kind)) throw new Error(`unknown calibration: ${kind}`);
        if (input === "features") throw new Error("the model uses features, which are not in this page");
        return mapAffine(calibration, probabilities, m);
    }

    function vote(steps, probabilities, m) {
        const shares = new Float64Array(probabilities.length);
        const winners = new Uint16Array(probabilities.length / m);
        for (const { share, factors } of steps) {
            predict(probabilities, Float64Array.from(factors), winners);
            for (let row = 0; row < winners.length; row++) shares[row * m + winners[row]] += share;
        }
        return shares.map((share) => Math.round(share * SHARE_STEPS) / SHARE_STEPS);
    }

    /** softmax(A·x + c), row by row. */
    function mapAffine({ input, diagonal, matrix, bias, floor = EPSILON }, probabilities, m) {
        const mapped = new Float64Array(probabilities.length);
        const x = new Float64Array(m);
        for (let start = 0; start < mapped.length; start += m) {
            for (let k = 0; k < m; k++) {
                const p = probabilities[start + k];
                x[k] = input === "log" ? Math.log(Math.max(p, floor)) : p;
            }
            const logits = mapped.subarray(start, start + m);
            for (let k = 0; k < m; k++) logits[k] = bias[k] + (diagonal ? diagonal[k] * x[k] : dot(matrix[k], x));
            softmax(logits);
        }
        return mapped;
    }

    function dot(slopes, x) {
        let sum = 0;
        for (let k = 0; k < x.length; k++) sum += slopes[k] * x[k];
        return sum;
    }

    function softmax(logits) {
        let top = -Infinity;
        for (const logit of logits) top = Math.max(top, logit);
        let sum = 0;
        for (let k = 0; k < logits.length; k++) {
            const exponent = logits[k] - top;
            logits[k] = exponent < SMALLEST_EXPONENT ? 0 : Math.exp(exponent);
            sum += logits[k];
        }
        for (let k = 0; k < logits.length; k++) logits[k] /= sum;
    }

    // ---- Predictions and counts ------------------------------------------------------------------------------------

    /**
     * The class with the largest probability × weight of every row, written to `predicted`. Ties go to the first class, so a
     * row whose products are all 0 is of class 0.
     */
    function predict(probabilities, weights, predicted) {
        const m = weights.length;
        for (let row = 0, start = 0; row < predicted.length; row++, start += m) {
            let best = 0;
            let largest = probabilities[start] * weights[0];
            for (let k = 1; k < m; k++) {
                const product = probabilities[start + k] * weights[k];
                if (product > largest) {
                    largest = product;
                    best = k;
                }
            }
            predicted[row] = best;
        }
        return predicted;
    }

    /** The confusion matrix with its margins; `cells` are row by row, one row per true class. */
    function countCells(predicted, { m, labels, rowWeights }) {
        const cells = new Float64Array(m * m);
        for (let row = 0; row < predicted.length; row++) {
            cells[labels[row] * m + predicted[row]] += rowWeights ? rowWeights[row] : 1;
        }
        return withMargins(cells, m);
    }

    function withMargins(cells, m) {
        const truth = new Float64Array(m);
        const predicted = new Float64Array(m);
        for (let i = 0; i < m; i++) {
            for (let j = 0; j < m; j++) {
                truth[i] += cells[i * m + j];
                predicted[j] += cells[i * m + j];
            }
        }
        return { m, cells, truth, predicted, total: truth.reduce((sum, weight) => sum + weight, 0) };
    }

    function countDifferences(some, others) {
        let different = 0;
        for (let row = 0; row < some.length; row++) if (some[row] !== others[row]) different++;
        return different;
    }

    // ---- Weights and the model file --------------------------------------------------------------------------------

    /** Weights divided by their sum; unchanged if they sum to 1, so that fitted weights stay exact. */
    function normalised(weights) {
        const total = weights.reduce((sum, weight) => sum + weight, 0);
        if (Math.abs(total - 1) < 1e-9) return Float64Array.from(weights);
        const largest = Math.max(...weights); // first by the largest, as the sum may overflow
        const scaled = Float64Array.from(weights, (weight) => weight / largest);
        const scaledTotal = scaled.reduce((sum, weight) => sum + weight, 0);
        return scaled.map((weight) => weight / scaledTotal);
    }

    /** The text of a model.json, one field per line. */
    function modelText(model, calibration, weights) {
        const fields = {
            format: "cwplugin-model",
            version: 1,
            cwplugin: model.cwplugin,
            classes: model.classes,
            calibration,
            weights: Array.from(normalised(weights)),
            fit: null,
        };
        const lines = Object.entries(fields).map(([name, value]) => `  "${name}": ${JSON.stringify(value)}`);
        return `{\n${lines.join(",\n")}\n}\n`;
    }

    return {
        readPayload, decodeProbabilities, calibrate, predict, countCells, withMargins, countDifferences, normalised, modelText,
    };
})();
