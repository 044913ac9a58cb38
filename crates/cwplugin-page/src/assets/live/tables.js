// The confusion matrix, the table of metrics, and notes.
const liveTables = (() => {
    "use strict";

    const { MANY_CLASSES, compare, countText, percentText, grouped, roundingText, element, scrolling, setText, setScore } =
        liveElements;

    /** Larger matrices are too slow to draw, and unreadable. */
    const MOST_DRAWN = 100;

    function buildMatrix(classes) {
        const m = classes.length;
        const header = element("tr", {}, element("th", { class: "live-corner" },
            element("span", {}, "predicted →"), element("span", {}, "true ↓")));
        for (const name of classes) header.append(columnHeader(name));
        header.append(columnHeader("recall", "live-rate"));
        const body = element("tbody");
        const cells = [];
        const recalls = [];
        classes.forEach((name, i) => {
            const row = element("tr", {}, element("th", { scope: "row", title: name }, element("span", {}, name)));
            classes.forEach((_, j) => {
                cells.push(element("td", { "data-cell": `${i},${j}` }, ""));
                row.append(cells[cells.length - 1]);
            });
            recalls.push(element("td", { class: "live-rate" }));
            row.append(recalls[i]);
            body.append(row);
        });
        const precisions = classes.map(() => element("td", { class: "live-rate" }));
        const footer = element("tr", {},
            element("th", { scope: "row", class: "live-rate" }, "precision"), ...precisions, element("td"));
        const table = element("table", { id: "live-matrix", class: m > MANY_CLASSES ? "live-narrow" : "" },
            element("caption", { class: "live-hidden" }, "Rows are true classes, columns are predictions."),
            element("thead", {}, header), body, element("tfoot", {}, footer));
        const drawn = new Float64Array(m * m).fill(NaN);
        const paint = (confusion) => {
            for (let place = 0; place < cells.length; place++) {
                if (drawn[place] === confusion.cells[place]) continue;
                drawn[place] = confusion.cells[place];
                paintCell(cells[place], confusion, Math.floor(place / m), place % m, classes);
            }
            for (let k = 0; k < m; k++) {
                const correct = confusion.cells[k * m + k];
                setText(recalls[k], rateText(correct, confusion.truth[k]));
                setText(precisions[k], rateText(correct, confusion.predicted[k]));
            }
        };
        return { root: scrolling("Confusion matrix", table), paint };
    }

    function tooLarge(m) {
        const root = element("p", {}, `The confusion matrix of ${grouped(m)} classes is too large to show.`);
        return { root, paint: () => {} };
    }

    const columnHeader = (name, className = "") =>
        element("th", { scope: "col", title: name, class: className }, element("span", {}, name));

    const rateText = (correct, whole) => (whole > 0 ? (correct / whole).toFixed(2) : "–");

    function paintCell(cell, { m, cells, truth }, i, j, classes) {
        const count = cells[i * m + j];
        const share = truth[i] > 0 ? count / truth[i] : 0;
        cell.firstChild.data = countText(count); // faster than a new text node
        cell.className = `h${Math.min(9, Math.floor(10 * share))}`;
        cell.classList.toggle("hd", i === j);
        cell.classList.toggle("live-none", count === 0);
        cell.title = `${percentText(share)} of “${classes[i]}” predicted as “${classes[j]}”`;
    }

    function buildMetrics(metrics) {
        const columns = ["now", "clean", "fitted"];
        const titles = ["now", "unadjusted", "fitted"];
        const body = element("tbody");
        const rows = metrics.map(({ name }) => {
            const cells = columns.map((column) => element("td", { "data-column": column, "data-value": "" }));
            const root = element("tr", { "data-metric": name }, element("th", { scope: "row" }, name), ...cells);
            body.append(root);
            return { root, cells };
        });
        const header = element("tr", {}, element("th", { scope: "col" }, "metric"),
            ...titles.map((title) => element("th", { scope: "col" }, title)));
        const table = element("table", { id: "live-metrics" },
            element("caption", {}, "All metrics on the same rows. ▲ better, ▼ worse than unadjusted."),
            element("thead", {}, header), body);
        const paint = (outcomes, selected) => rows.forEach(({ root, cells }, index) => {
            const values = outcomes.map(({ scores }) => scores[index]);
            cells.forEach((cell, column) => setScore(cell, values[column]));
            [0, 2].forEach((column) => { cells[column].dataset.trend = compare(values[column], values[1]).trend; });
            root.classList.toggle("live-selected", index === selected);
        });
        return { root: scrolling("All metrics", table), paint };
    }

    // ---- Notes -----------------------------------------------------------------------------------------------------

    function buildNotes(payload, notComputed) {
        const notes = [];
        if (notComputed.length > 0) notes.push(`Not computed here: ${notComputed.map(({ name }) => name).join(", ")}.`);
        if (payload.rows < payload.labelledRows) {
            const sizes = `${grouped(payload.rows)} of ${grouped(payload.labelledRows)}`;
            notes.push(`Computed on a random sample of ${sizes} labelled rows; all rows may give other numbers.`);
        }
        const rounded = [payload.probabilities, payload.calibrated].find((part) => part && part.type !== "f64");
        if (rounded) {
            notes.push(`Probabilities rounded ${roundingText(rounded)}; predictions near a tie may differ.`);
        }
        return element("div", { class: "live-notes" }, ...notes.map((note) => element("p", {}, note)));
    }

    return { MOST_DRAWN, buildMatrix, tooLarge, buildMetrics, buildNotes };
})();
