//! The SQL query that counts statistics: one GROUP BY over the table; `cwplugin fit --stats` reads its result.

use crate::dialect::{Dialect, chain};
use crate::literal::one_line;

/// A query that counts the statistics for a grid fit.
#[derive(Debug, Clone)]
pub struct StatisticsQuery {
    /// The engine that runs it.
    pub dialect: Dialect,
    /// The table; a name with a dot or a parenthesis is not quoted.
    pub table: String,
    /// The label column.
    pub label: String,
    /// The name and the column of each class.
    pub classes: Vec<(String, String)>,
    /// The column of row weights.
    pub weight: Option<String>,
    /// The position of the reference class.
    pub reference: usize,
    /// The points of the grid.
    pub bins: u32,
}

impl StatisticsQuery {
    /// The query, with comments.
    pub fn text(&self) -> String {
        format!("{}\nWITH\n{},\n{}\n{};\n", self.header(), self.counts(), self.cuts(), self.result())
    }

    /// Comments: what the query does and how to save its result.
    fn header(&self) -> String {
        let Self { dialect, bins, .. } = self;
        let note = match dialect {
            Dialect::Snowflake => {
                "\n-- Names are quoted; a name that was created without quotes is in capitals: --label LABEL --columns P_A,P_B"
            }
            _ => "",
        };
        format!(
            "\
-- Counts the statistics for a grid fit of {m} classes; written by `cwplugin stats --sql {name}`.
--
--     {how_to_save}
--     cwplugin fit --stats {result}
--
-- Grid: alpha = i/{bins} for i = 0 to {last}. Reference class: {fixed}.
-- A row moves from the reference r to class k at alpha if alpha * b_k > (1 - alpha) * b_r, in doubles.
-- Its bin is the first i at which it moves, or {bins} if it never moves.{note}",
            m = self.classes.len(),
            name = dialect.name(),
            how_to_save = how_to_save(*dialect),
            result = if *dialect == Dialect::Spark { "stats.parquet" } else { "stats.csv" },
            last = bins - 1,
            // A line feed in a name would end the comment.
            fixed = one_line(&self.classes[self.reference].0),
        )
    }

    /// The rows in doubles, and the counts per label and per class.
    fn counts(&self) -> String {
        let Self { dialect, .. } = self;
        let (double, string) = (dialect.double(), dialect.string());
        let names: Vec<&str> = self.classes.iter().map(|(name, _)| name.as_str()).collect();
        let as_double = |column: &str| format!("CAST({} AS {double}) + 0", dialect.identifier(column));
        format!(
            "\
cw_classes AS (
    SELECT k, name FROM {listed}
),
-- The table in doubles; NULL labels are empty. Adding 0 turns -0, which some engines sort below 0, into 0.
cw_rows AS (
    SELECT
        COALESCE(TRIM(CAST({label} AS {string})), '') AS label,
        {weight} AS weight,
        {probabilities}
    FROM {table}
),
-- One line per label: its rows, the bad ones (NULL, NaN, a negative number, a sum other than 1, a bad
-- weight), and those in which each class has a positive probability.
cw_labels AS (
    SELECT
        label,
        COUNT(*) AS n,
        COUNT(CASE
            WHEN {is_valid}
            THEN NULL ELSE 1
        END) AS bad,
        COUNT(CASE WHEN label <> '' AND weight > 0 THEN 1 END) AS labelled,
        {possible}
    FROM cw_rows
    GROUP BY label
),
cw_totals AS (
    SELECT
        SUM(CASE WHEN label = '' THEN n ELSE 0 END) AS unlabelled,
        SUM(bad) AS bad,
        SUM(labelled) AS labelled,
        {totals}
    FROM cw_labels
)",
            listed = dialect.numbered(&names),
            label = dialect.identifier(&self.label),
            weight = self.weight.as_deref().map_or_else(|| dialect.number("1"), as_double),
            probabilities =
                self.per_class(",\n        ", |k| { format!("{} AS b{k}", as_double(&self.classes[k].1)) }),
            table = dialect.table(&self.table),
            is_valid = self.is_valid(),
            possible = self.per_class(",\n        ", |k| {
                format!("COUNT(CASE WHEN label <> '' AND weight > 0 AND b{k} > 0 THEN 1 END) AS n{k}")
            }),
            totals = self.per_class(",\n        ", |k| format!("SUM(n{k}) AS n{k}")),
        )
    }

    /// The histogram of cuts.
    ///
    /// Rows are joined with the pairs of their label, a short list, so that no engine reads the table once per class.
    fn cuts(&self) -> String {
        let Self { dialect, reference: r, bins, .. } = self;
        format!(
            "\
-- A row of class k counts for the pair (k, r) only, a row of the reference r for every pair.
cw_pairs AS (
    SELECT name AS label, k FROM cw_classes WHERE k <> {r}
    UNION ALL
    SELECT {fixed} AS label, k FROM cw_classes WHERE k <> {r}
),
cw_parts AS (
    SELECT
        cw_pairs.label AS label,
        cw_pairs.k AS k,
        weight,
        CASE cw_pairs.k
            {pick}
        END AS b_k,
        b{r} AS b_r
    FROM cw_rows
    JOIN cw_pairs ON cw_pairs.label = cw_rows.label
    WHERE weight > 0
),
-- The quotient is correct up to rounding; for denormal numbers (bin -1) it is not.
cw_guesses AS (
    SELECT
        label, k, weight, b_k, b_r,
        CASE
            WHEN b_k > 0 AND b_r >= 0 AND b_k + b_r < {tiny} THEN {minus_one}
            WHEN b_k > 0 AND b_r >= 0 AND b_k + b_r < 2
            THEN CAST(FLOOR({grid} * (b_r / (b_k + b_r))) AS {double})
            ELSE {grid}
        END AS guess
    FROM cw_parts
),
cw_alphas AS (
    SELECT
        label, k, weight, b_k, b_r, guess,
        guess / {grid} AS alpha,
        (guess + 1) / {grid} AS next_alpha
    FROM cw_guesses
),
-- The inequality itself decides.
cw_bins AS (
    SELECT
        label, k, weight,
        CAST(CASE
            WHEN guess >= 0 AND guess < {bins}
            THEN guess
                + CASE WHEN alpha * b_k > (1 - alpha) * b_r THEN 0 ELSE 1 END
                + CASE WHEN next_alpha * b_k > (1 - next_alpha) * b_r THEN 0 ELSE 1 END
            ELSE guess
        END AS {integer}) AS bin
    FROM cw_alphas
),
cw_cuts AS (
    SELECT label, k, weight, bin, COUNT(*) AS n
    FROM cw_bins
    GROUP BY label, k, weight, bin
)",
            fixed = dialect.text(&self.classes[*r].0),
            pick = self.per_class("\n            ", |k| format!("WHEN {k} THEN b{k}")),
            tiny = dialect.number("1e-290"),
            minus_one = dialect.number("-1"),
            grid = dialect.number(&bins.to_string()),
            double = dialect.double(),
            integer = dialect.integer(),
        )
    }

    /// Everything in one table.
    fn result(&self) -> String {
        let Self { dialect, bins, .. } = self;
        let integer = dialect.integer();
        let [kind, class, label, bin, rows, each] =
            ["kind", "class", "label", "bin", "rows", "each"].map(|name| dialect.identifier(name));
        // Postgres types a bare NULL before it sees the other parts.
        let [no_text, no_count, no_weight] = [dialect.string(), integer, dialect.double()]
            .map(|data_type| format!("CAST(NULL AS {data_type})"));
        format!(
            "\
SELECT
    'class' AS {kind}, name AS {class}, {no_text} AS {label}, CAST(k AS {integer}) AS {bin},
    COALESCE(CAST(CASE k
        {total}
    END AS {integer}), 0) AS {rows}, {no_weight} AS {each}
FROM cw_classes CROSS JOIN cw_totals
UNION ALL
SELECT 'reference', {fixed}, {no_text}, CAST({bins} AS {integer}), COALESCE(CAST(labelled AS {integer}), 0), {no_weight}
FROM cw_totals
UNION ALL
SELECT 'unlabelled', {no_text}, {no_text}, {no_count}, COALESCE(CAST(unlabelled AS {integer}), 0), {no_weight}
FROM cw_totals
UNION ALL
SELECT 'unknown', {no_text}, cw_labels.label, {no_count}, cw_labels.n, {no_weight}
FROM cw_labels LEFT JOIN cw_classes ON cw_classes.name = cw_labels.label
WHERE cw_classes.name IS NULL AND cw_labels.label <> ''
UNION ALL
SELECT 'bad', {no_text}, {no_text}, {no_count}, CAST(bad AS {integer}), {no_weight}
FROM cw_totals WHERE bad > 0
UNION ALL
SELECT 'cut', cw_classes.name, cw_cuts.label, cw_cuts.bin, cw_cuts.n, cw_cuts.weight
FROM cw_cuts JOIN cw_classes ON cw_classes.k = cw_cuts.k",
            total = self.per_class("\n        ", |k| format!("WHEN {k} THEN n{k}")),
            fixed = dialect.text(&self.classes[self.reference].0),
        )
    }

    /// True only for a row that the library accepts. In some engines NaN is the largest number, in others it differs from all:
    /// either way the sum is not close to 1.
    fn is_valid(&self) -> String {
        let number = |literal| self.dialect.number(literal);
        let terms = |write: fn(usize) -> String| (0..self.classes.len()).map(write).collect::<Vec<_>>();
        let mut tests = vec![
            chain(&terms(|k| format!("b{k} >= 0")), " AND "),
            format!("ABS({} - 1) <= {}", chain(&terms(|k| format!("b{k}")), " + "), number("1e-3")),
        ];
        if self.weight.is_some() {
            let (least, most) = (number("1e-100"), number("1e100"));
            tests.push(format!("(weight = 0 OR weight >= {least} AND weight <= {most})"));
        }
        tests.join("\n                AND ")
    }

    fn per_class(&self, between: &str, write: impl Fn(usize) -> String) -> String {
        (0..self.classes.len()).map(write).collect::<Vec<_>>().join(between)
    }
}

/// The command that saves the result of the query in `stats.sql`.
fn how_to_save(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::Duckdb => "duckdb -csv -nullvalue '' my.db < stats.sql > stats.csv",
        Dialect::Datafusion => "datafusion-cli --quiet --format csv --maxrows inf -f stats.sql > stats.csv",
        Dialect::Spark => {
            "spark.sql(open(\"stats.sql\").read()).toPandas().to_parquet(\"stats.parquet\")   (PySpark)"
        }
        Dialect::Bigquery => {
            "bq query --nouse_legacy_sql --format=csv --max_rows=100000000 < stats.sql > stats.csv"
        }
        Dialect::Snowflake => "snow sql --filename stats.sql --format csv > stats.csv",
        Dialect::Postgres => "psql --csv --quiet --file stats.sql my_db > stats.csv",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_feed_in_a_name_stays_in_its_comment() {
        let class = |name: &str| (name.to_string(), name.to_string());
        for dialect in Dialect::ALL {
            let query = StatisticsQuery {
                dialect,
                table: "t".into(),
                label: "label".into(),
                classes: vec![class("a"), class("b\nDROP TABLE t; --")],
                weight: None,
                reference: 1,
                bins: 10,
            };
            assert!(query.header().lines().all(|line| line.starts_with("--")));
        }
    }
}
