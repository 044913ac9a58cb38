// Evaluates metrics: programs for a stack machine, as `Formula::to_json` of the library defines them.
const livePrograms = (() => {
    "use strict";

    /** Infinities become NaN, and NaN propagates through divisions and comparisons. */
    const finite = (x) => (Number.isFinite(x) ? x : NaN);
    const share = (part, whole) => (whole > 0 ? part / whole : 0);
    const divide = (x, y) => (y === 0 && !Number.isNaN(x) ? 0 : finite(x / y));
    const least = (x, y) => (x < y || Number.isNaN(x) ? x : y);
    const greatest = (x, y) => (x > y || Number.isNaN(x) ? x : y);
    const SMALLEST_NORMAL = 2 ** -1022;

    const UNARY = {
        negate: (x) => -x,
        square: (x) => finite(x * x),
        sqrt: (x) => (x < 0 ? 0 : Math.sqrt(x)), // rounding may give −1e-17
        abs: Math.abs,
        log: (x) => Math.log(x < SMALLEST_NORMAL ? SMALLEST_NORMAL : x),
        exp: (x) => finite(Math.exp(x)),
    };

    const comparison = (holds) => (x, y) => (Number.isNaN(x) || Number.isNaN(y) ? NaN : Number(holds(x, y)));

    const BINARY = {
        "+": (x, y) => finite(x + y),
        "-": (x, y) => finite(x - y),
        "*": (x, y) => finite(x * y),
        "/": divide,
        "^": (x, y) => (Number.isNaN(x) ? NaN : finite(x ** y)), // NaN ** 0 would be 1
        least,
        greatest,
        "<": comparison((x, y) => x < y),
        "<=": comparison((x, y) => x <= y),
        ">": comparison((x, y) => x > y),
        ">=": comparison((x, y) => x >= y),
        "==": comparison((x, y) => x === y),
        "!=": comparison((x, y) => x !== y),
    };

    const QUANTITIES = {
        tp: ({ correct }) => correct,
        fp: ({ predicted, correct }) => predicted - correct,
        fn: ({ truth, correct }) => truth - correct,
        tn: ({ truth, predicted, correct, total }) => total - truth - (predicted - correct),
        support: ({ truth }) => truth,
        predicted: ({ predicted }) => predicted,
        precision: ({ predicted, correct }) => share(correct, predicted),
        recall: ({ truth, correct }) => share(correct, truth),
        f1: ({ truth, predicted, correct }) => share(2 * correct, truth + predicted),
        specificity: (counts) => share(QUANTITIES.tn(counts), counts.total - counts.truth),
    };

    function countsOf({ m, cells, truth, predicted, total }, k) {
        return { truth: truth[k], predicted: predicted[k], correct: cells[k * m + k], total };
    }

    /** The score of a confusion matrix; an empty one scores 0. */
    function runProgram({ stages }, confusion) {
        if (!(confusion.total > 0)) return 0;
        const slots = [];
        let score = 0;
        for (const { reduce, slot, steps } of stages) {
            score = reduce === null
                ? runSteps(steps, slots, confusion, noClass(confusion))
                : reduceClasses(reduce, steps, slots, confusion);
            slots[slot] = score;
        }
        return score + 0; // no minus zero
    }

    const noClass = ({ total }) => ({ truth: 0, predicted: 0, correct: 0, total });

    /** Reduces the values of all classes with a true or a predicted row. */
    function reduceClasses(reduce, steps, slots, confusion) {
        const numbers = [];
        for (let k = 0; k < confusion.m; k++) {
            const counts = countsOf(confusion, k);
            if (counts.truth > 0 || counts.predicted > 0) numbers.push(runSteps(steps, slots, confusion, counts));
        }
        return numbers.length > 0 ? REDUCTIONS[reduce](numbers) : 0;
    }

    const sum = (numbers) => finite(numbers.reduce((total, x) => total + x, 0));

    const REDUCTIONS = {
        sum,
        mean: (numbers) => sum(numbers) / numbers.length,
        gmean: geometricMean,
        min: (numbers) => numbers.reduce(least),
        max: (numbers) => numbers.reduce(greatest),
    };

    /** 0 if any number is 0 or below. */
    function geometricMean(numbers) {
        const logarithms = sum(numbers.filter((x) => !(x <= 0)).map(Math.log));
        if (Number.isNaN(logarithms)) return NaN;
        return numbers.some((x) => x <= 0) ? 0 : Math.exp(logarithms / numbers.length);
    }

    /** Runs the steps of one stage, for one class or for none. */
    function runSteps(steps, slots, confusion, counts) {
        const stack = [];
        const stored = [];
        for (const [name, first, second] of steps) {
            if (UNARY[name]) {
                stack.push(UNARY[name](stack.pop()));
            } else if (BINARY[name]) {
                const y = stack.pop();
                stack.push(BINARY[name](stack.pop(), y));
            } else if (name === "if") {
                const [condition, then, otherwise] = stack.splice(-3);
                stack.push(Number.isNaN(condition) ? NaN : condition === 0 ? otherwise : then);
            } else if (name === "store") {
                stored[first] = stack.pop();
            } else {
                stack.push(operand(name, first, second, { slots, stored, confusion, counts }));
            }
        }
        return stack.pop();
    }

    function operand(name, first, second, { slots, stored, confusion, counts }) {
        switch (name) {
            case "number": return first;
            case "total": return confusion.total;
            case "classes": return confusion.m;
            case "each": return QUANTITIES[first](counts);
            case "of": return QUANTITIES[first](countsOf(confusion, second));
            case "cell": return confusion.cells[first * confusion.m + second];
            case "slot": return slots[first];
            case "load": return stored[first];
            default: throw new Error(`unknown step of a metric: ${name}`);
        }
    }

    return { runProgram };
})();
