"""Texts of docs/results.md: descriptions of tasks, methods and metrics. Figures come from the result files."""

TASKS = (
    *("acs-income-8feat", "acs-income-linked", "lmtweets", "lmtweets-minilm", "lmemotions", "lmemotions-ood"),
    *("anli-shift-roberta", "anli-shift-bart", "anli-shift-xlnet"),
    *("anli-noise-roberta", "anli-noise-bart", "anli-noise-xlnet", "snli-shift", "snli-noise"),
)

# Rows from a known distribution; the paper has no such tasks.
GENERATED = (
    *("generated-10-mild", "generated-10-severe", "generated-10-overconfident", "generated-10-none"),
    *("generated-50-mild", "generated-50-severe"),
)

LINKS = {
    "auto": "method.md#auto",
    "expected": "method.md#expected",
    "bagged": "method.md#bagged",
    "ascent": "method.md#ascent",
    "cwplugin": "method.md#algorithm-1",
    "cwplugin:published": "method.md#algorithm-1",
}

METHODS = {
    "auto": "the default of `fit`: `expected` at the shrinkage that forecast and cross-validation support, another "
    "method if it is clearly better, or the unadjusted black box",
    "expected": "maximise the expected metric over all rows, with probabilities calibrated on the labels",
    "clean": "the unadjusted black box: arg max of its probabilities",
    "logistic": "a new multinomial logistic regression fitted on S, on features or sentence embeddings; "
    "it does not use the black box",
    "probing": "the probing classifier",
    "label-shift": "one weight per class, the ratio of priors that makes the labels of S most likely",
    "temperature": "temperature scaling",
    "bcts": "temperature and a bias per class",
    "vector": "a slope and a bias per class, on log-probabilities",
    "vector:probability": "the same on probabilities, as in the paper",
    "dirichlet-diag": "Dirichlet calibration, diagonal map",
    "dirichlet-full": "Dirichlet calibration, full map with ODIR",
    "svs": "structured vector scaling, as in probmetrics",
    "sms": "structured matrix scaling, as in probmetrics",
    "cwplugin:published": "the paper's Algorithm 1 as published: α on a grid, the last class fixed, the first of equal "
    "α, a class absent from S dropped",
    "ascent": "coordinate ascent on the whole metric, started from the black box, Algorithm 1 and label shift",
    "bagged": "the mean log-weight of coordinate ascent over bootstrap samples, shrunk by their variance",
    "cwplugin": "Algorithm 1 with this project's defaults",
    "cwplugin:last": "the same with the last class fixed",
    "cwplugin:best": "the same with the best fixed class of all",
}

GOALS = (
    "A default method should never do harm, beat the paper's algorithm, and be about as good as the best single "
    "method, whichever that is. The goals were set before the method was written, for cells of 50 to 400 labelled rows "
    "and all five metrics. Its rule was chosen on [other tasks](../experiments/panel/README.md), not on these, and "
    "confirmed on a [second set of tasks](../experiments/panel/judged.md). *The best* is the highest mean among all "
    "methods that use only the probabilities (all but `auto` and `logistic`). Tasks with label noise are counted "
    "separately, because their labelled rows are wrong on purpose. The line of tasks with 500 test rows or more was "
    "added after the results were known; it excludes the three tasks of "
    "[the next section](#other-test-rows-for-the-smallest-tasks)."
)

OTHER_SPLITS = (
    "The three ANLI tasks with label shift have so few test rows that the standard error of a score is larger than "
    "most differences between methods, and all draws share these rows. So they were run again with {splits} other "
    "splits (`experiments/splits.py`): each time, pool and test rows are drawn from all rows of the file after the "
    "shift {shift}, half and half (about {pool} in the pool and {test} for testing), with one sample of each size per "
    "split. Cells are means over the splits, and *significantly* is over the splits. This was run after the tables "
    "above were known, and does not change them."
)

METRICS = {
    "accuracy": "accuracy",
    "macro-f1": "macro-F1",
    "macro-g-mean": "macro G-mean",
    "mcc": "MCC",
    "macro-fowlkes-mallows": "macro Fowlkes–Mallows",
}

BLACK_BOX = "**Black box:** not the paper's. None of its models is used here, so its numbers cannot be reproduced"

CENSUS = (
    "**Black box:** trained here on the rows of California in this table; it is not the paper's fit.",
    "**Classes:** income is cut at the thresholds in `experiments/README.md`; whether the paper uses the same ones was "
    "not checked.",
)
ANLI = (
    "**Data:** the development rows of ANLI, all rounds, because stored predictions exist for those.",
    f"{BLACK_BOX}. These are stored predictions of the ANLI authors' own transformers, to our knowledge trained on "
    "ANLI's training set among others; the development rows may have been used to select checkpoints.",
    "**Noise:** only in the labels of S, at the rate in the result file; the test rows keep their labels.",
)

# Differences from the paper, by task; facts are from experiments/README.md.
DIFFERENCES = {
    "acs-income-8feat": (
        "**Data:** census records (ACS PUMS) of California and Texas from a third party's holdout file, not the full "
        "folktables sample. Features were recoded from text labels; the folktables features WKHP and RELP are missing. "
        "The population (persons at work with positive income) is slightly narrower than the folktables filter.",
        *CENSUS,
    ),
    "acs-income-linked": (
        "**Data:** all folktables features with the real income, from record linkage of that holdout file with "
        "another public one. It is derived, not an original release, and smaller; a small share of the links is "
        "expected to be wrong, which affects only RELP and WKHP of those rows.",
        *CENSUS,
    ),
    "lmtweets": (
        "**Data:** SemEval-2017 task 4 subtask A, English tweets of the years before the last test set, with as many "
        "rows as in the paper, but not necessarily the same rows.",
        f"{BLACK_BOX}. This one is a third party's bag-of-words classifier (eng-spacysentiment). Its training data is "
        "not documented, and may contain some of these tweets.",
    ),
    "lmtweets-minilm": (
        "**Data:** the same tweets as `lmtweets`.",
        f"{BLACK_BOX}. This one is ours: logistic regression on sentence embeddings, trained on tweets about airlines.",
        "**Shared embeddings:** the black box and `logistic` see the same sentence embeddings.",
    ),
    "snli-shift": (
        "**Data:** SNLI `test`. By chance the class shares of pool and test differ; the split was fixed in advance and "
        "is kept.",
        f"{BLACK_BOX}. This one is ours and weak: a small network on sentence embeddings, trained on MultiNLI and "
        "ANLI; the sentences are encoded separately.",
        "**Embeddings:** the model card of the embedding model lists SNLI among its training data.",
        "**Shift:** the share of deleted rows is in the result file, the same for pool and test rows.",
    ),
    "anli-noise-roberta": ANLI,
    "anli-noise-bart": ANLI,
    "anli-noise-xlnet": ANLI,
}

GENERATED_ABOUT = (
    "In these tasks the distribution is known. The rows are drawn from a mixture of Gaussians, one per class. The "
    "black box returns the exact posterior of this mixture under the *source* class priors, while the rows follow the "
    "*target* priors: a pure label shift. Class priors are a power of a class's rank, and the ranks are in random "
    "order. The weights that correct the shift are known too: target prior over source prior. These tasks are not in "
    "the summary above, because a distribution that suits a method says little about real black boxes. They show what "
    "can be gained if only the class priors have changed, and what a method costs where there is nothing to correct "
    "(`generated-10-none`)."
)
GENERATED_LACK = (
    "With 50 classes a full map has more parameters than there are labelled rows, and takes far longer than all "
    "other methods together."
)

THEORY = (
    "The paper's theorems, compared with measurements on data with known probabilities (`lab experiment theory`). The "
    "true probabilities η of the rows have a formula: a class is drawn, then a point of variance 1 around a corner of "
    "a simplex, {distance:g} from the centre; all pairs of classes are equally hard, for any number of classes. The "
    "black box returns η itself, b = η. The metric is linear-diagonal, `Σ β_k·C_kk`, so the best weights are β, and "
    "the error of weights w is `‖β − w‖₁`, both with sum 1. The fixed class is the last. Every cell is the mean of "
    "{repeats} draws, below {counted:,} rows of {more_draws} times as many. Slopes are fitted by least squares to the "
    "logarithms of the means, weighted by their standard errors; if the points are further from the line than their "
    "errors allow, the standard error of the slope is increased accordingly. *Agrees*: the theoretical value is within "
    "{errors} standard errors of the slope, or within {near:g}, since the laws are asymptotic and the data are finite. "
    "All conclusions follow from the result file by this rule."
)
THEORY_ELICITATION = (
    "Consistency: β is hidden and drawn for every repeat, with a population of {population:,} rows, on which the "
    "metric is computed from η itself. Restricted queries, with golden-section search to a precision of ε in α "
    "([method.md](method.md#elicitation)). On a finite number of rows the metric is a step function: only precisions "
    "of at least {stair} rows are used in the fits; below that the error does not fall further. The paper's γ contains "
    "ε/2: an exponent of 1. The paper needs O(log 1/ε) evaluations per class; golden-section search multiplies the "
    "interval by 0.618 with each query, and the precisions are chosen at the ends of its steps."
)
THEORY_FINITE = (
    "Labels are drawn from η, the classes have equal priors, and β alternates between 2 and ½, with 1 for the fixed "
    "class: ρ = 1/3 for every m. `cwplugin` is Algorithm 1 with the exact search (ε = 0) over all α, not the paper's "
    "α ≤ 1 − ρ, because ρ is unknown in practice. The paper bounds the error by a multiple of `n^(−1/2)`. Maximising "
    "a *count* of rows can converge more slowly: near the peak the noise of the count is that of the few rows between "
    "two α, while the expected curve is a parabola; the two balance at `n^(−1/3)`. `expected` uses the labelled rows "
    "only. Below {counted:,} labels it counts calibrated probabilities, which are smooth, and its prior is that the "
    "black box is right, as it is here; from {counted:,} on its weights are a mean with those by counted labels. So it "
    "has two lines. If its rule has a map with more than one slope, β is compared with the weights that best imitate "
    "its predictions on {imitated_on:,} other rows; a map with one slope is equivalent to weights. Only sizes of at "
    "least {rows_of_a_class} rows per class are used in the fits."
)
THEORY_CONSTANTS = (
    "The same error at the largest n against m, and for three classes against `ρ = min_k β_r / (β_r + β_k)`, where "
    "the two free classes have the same β and the third is fixed. The bound is `m·γ/(1 − ρ)²`: an exponent of 1 for m "
    "and of −2 for 1 − ρ. It is an upper bound, so a flatter slope does not contradict it; it shows that the bound is "
    "not tight."
)
THEORY_RHO_RISES = (
    "In all of these the error *falls* as 1 − ρ falls, while the bound rises: a class with a small β has a small "
    "weight, and the error of a small weight is small."
)
THEORY_RHO_MIXED = (
    "In {part} of {all} of these the error *falls* as 1 − ρ falls, while the bound rises: there, a class with a small "
    "β has a small weight with a small error, which outweighs the other effects."
)
THEORY_EVALUATIONS = (
    "The paper's run times: O(mn/ε) for the line search, O(n/ε) with balanced classes; O(mn log 1/ε) and "
    "O(n log 1/ε) for the binary search. Counted here are evaluations of the metric, and for each pair its "
    "evaluations times its rows, which is the run time of a direct implementation of the paper. *Worst case*: "
    "{share:.0f} % of the rows are of the fixed class, which is part of every pair. With balanced classes a pair has "
    "2n/m rows. The fits against pairs use cells with {classes} classes or more. `cwplugin` itself does not work this "
    "way: it sorts or counts the cuts of all rows in one pass and evaluates the metric on counts, so its time is not "
    "evaluations × rows ([decision 0010](decisions/0010-one-pass-kernels.md), [benchmarks.md](benchmarks.md)). Its "
    "`exact` search, which the paper does not have, evaluates the metric at cuts and has no ε."
)
