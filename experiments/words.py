"""The words of docs/results.md: what the tasks, methods and metrics are. No figures: those come from the files."""

TASKS = (
    *("acs-income-8feat", "acs-income-linked", "lmtweets", "lmtweets-minilm", "lmemotions", "lmemotions-ood"),
    *("anli-shift-roberta", "anli-shift-bart", "anli-shift-xlnet"),
    *("anli-noise-roberta", "anli-noise-bart", "anli-noise-xlnet", "snli-shift", "snli-noise"),
)

# Rows of a known law; the paper has nothing of the kind.
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
    "auto": "the default of `fit`: as much of `expected` as forecast and trials support, or the black box as it is",
    "expected": "maximise what the metric is expected to be on all rows, by probabilities mended on the labels",
    "clean": "the black box as it is, arg max of its probabilities",
    "logistic": "a multinomial logistic regression fitted afresh on S, from features or sentence embeddings; "
    "it never sees the black box",
    "probing": "the probing classifier",
    "label-shift": "one weight per class, the ratio of priors that makes the labels of S most likely",
    "temperature": "temperature scaling",
    "bcts": "temperature and a bias per class",
    "vector": "a factor and a bias per class, on log-probabilities",
    "vector:probability": "the same on probabilities, as the paper writes it",
    "dirichlet-diag": "Dirichlet calibration, diagonal map",
    "dirichlet-full": "Dirichlet calibration, full map with ODIR",
    "cwplugin:published": "the paper's Algorithm 1 as printed: α on a grid, the last class fixed, the first of equal "
    "α, a class absent from S dropped",
    "ascent": "coordinate ascent on the whole metric, from the black box, Algorithm 1 and label shift",
    "bagged": "the mean log-weight of coordinate ascent over bootstrap samples, shrunk by their variance",
    "cwplugin": "Algorithm 1 with this project's defaults",
}

GOALS = (
    "What a method must do that people use without a look at this page: it should harm nobody, beat the paper's "
    "algorithm, and be about as good as the best single method, whichever that may be. The goals were "
    "set before the method was made, for cells of 50 to 400 labelled rows and all five metrics; its rule was chosen on "
    "[other tasks](../experiments/panel/README.md), not on these, and confirmed on "
    "[others still](../experiments/panel/judged.md). *The best*: the highest mean among all "
    "methods that see the same probabilities and nothing else (all but `auto` and `logistic`). Tasks with label noise "
    "are counted apart, for there the labelled rows themselves lie. The line of tasks with 500 test rows or more was "
    "added when the results were known: it leaves out the three of "
    "[the next section](#other-test-rows-for-the-smallest-tasks)."
)

OTHER_SPLITS = (
    "The three ANLI tasks with label shift keep so few test rows that the error of a score is larger than most "
    "differences between methods, and all draws share these rows. So they were run once more ({splits} splits, "
    "`experiments/splits.py`): pool and test rows are drawn anew each time, half and half, from all rows of the file "
    "after the shift {shift} (about {pool} to draw from and {test} to test on), one sample of each size for each "
    "split. Cells are means over the splits; *significantly* is over the splits. It was run after the tables above "
    "were seen, and it changes nothing in them."
)

METRICS = {
    "accuracy": "accuracy",
    "macro-f1": "macro-F1",
    "macro-g-mean": "macro G-mean",
    "mcc": "MCC",
    "macro-fowlkes-mallows": "macro Fowlkes–Mallows",
}

BLACK_BOX = (
    "**Black box:** not the paper's. None of its models is used here, so its numbers should not be expected to come out"
)

CENSUS = (
    "**Black box:** trained here on the rows of California in this table; it is not the paper's fit.",
    "**Classes:** income in classes cut at the thresholds that `experiments/README.md` gives; whether the paper cuts "
    "at the same ones was not checked.",
)
ANLI = (
    "**Data:** the development rows of ANLI, all rounds, because stored predictions exist for those.",
    f"{BLACK_BOX}. These are stored predictions of the ANLI authors' own transformers, to our knowledge trained on "
    "ANLI's training set among others; the development rows may have served to choose checkpoints.",
    "**Noise:** applied to the labels of S only, at the rate that the result file states; the test rows keep their "
    "labels.",
)

# What differs from the paper, by task of ours. Facts of experiments/README.md.
DIFFERENCES = {
    "acs-income-8feat": (
        "**Data:** census records (ACS PUMS) of California and Texas out of a third party's holdout file, not the full "
        "folktables sample. Features were recoded from text labels; the folktables features WKHP and RELP are not in "
        "it, others are. The population (persons at work with positive income) is slightly narrower than the "
        "folktables filter.",
        *CENSUS,
    ),
    "acs-income-linked": (
        "**Data:** all folktables features with the real income, got by record linkage of that holdout file with "
        "another public one. It is derived, not an original release, and smaller; a small share of the links is "
        "expected to be wrong, which affects RELP and WKHP of those rows only.",
        *CENSUS,
    ),
    "lmtweets": (
        "**Data:** SemEval-2017 task 4 subtask A, English tweets of the years before the last test set, drawn to the "
        "paper's number of rows; not necessarily the paper's rows.",
        f"{BLACK_BOX}. This one is a third party's bag-of-words classifier (eng-spacysentiment). Its training data is "
        "not documented: it cannot be ruled out that some of these tweets were in it.",
    ),
    "lmtweets-minilm": (
        "**Data:** the same tweets as `lmtweets`.",
        f"{BLACK_BOX}. This one is ours: logistic regression on sentence embeddings, trained on tweets about airlines.",
        "**Shared embeddings:** the black box and `logistic` see the same sentence embeddings.",
    ),
    "snli-shift": (
        "**Data:** SNLI `test`. By chance the fixed split is uneven in its classes; it was fixed beforehand and is "
        "kept.",
        f"{BLACK_BOX}. This one is ours and weak: a small network on sentence embeddings, trained on MultiNLI and "
        "ANLI; the sentences are encoded separately.",
        "**Embeddings:** the embedder's model card lists SNLI among its training data, so they are not blind to such "
        "text.",
        "**Shift:** the share of rows deleted is the one that the result file states, in pool and test alike.",
    ),
    "anli-noise-roberta": ANLI,
    "anli-noise-bart": ANLI,
    "anli-noise-xlnet": ANLI,
}

GENERATED_ABOUT = (
    "Here everything is known that is never known of real data. The rows are drawn from a mixture of Gaussians, one "
    "for each class, and the black box gives the exact posterior of that mixture, but under the *source's* shares of "
    "the classes, while the rows follow the *target's*: a label shift and nothing else. Shares go as a power of a "
    "class's rank, and the ranks are in random order. The weights that mend it are known too: target over source. "
    "These tasks are not in the summary above, because a law that suits a method proves little about real black boxes; "
    "they show what can be gained if labels alone have shifted, and what a method costs where there is nothing to mend "
    "(`generated-10-none`)."
)
GENERATED_LACK = (
    "With 50 classes a full map has more numbers to learn than there are labelled rows, and takes far longer than all "
    "other methods together."
)

THEORY = (
    "What the paper proves, measured where everything is known (`lab experiment theory`). The rows are drawn by "
    "a law whose true probabilities η have a formula: a class, then a point of variance 1 around a corner of a "
    "simplex, {distance:g} from the centre; all pairs of classes are equally hard, whatever their number. The black "
    "box says η itself, b = η. The metric is linear-diagonal, `Σ β_k·C_kk`, so that the best weights are its β, and "
    "the error of weights w is `‖β − w‖₁`, both of sum 1. The fixed class is the last. Every cell is the mean of "
    "{repeats} draws, of samples below {counted:,} rows of {more_draws} times as many. Slopes are fitted by least "
    "squares to the logarithms of the means, weighted by their errors; where points lie further off the line than "
    "their errors allow, the slope's error is widened by as much. *Agrees*: the theory's value is within {errors} "
    "standard errors of the slope, or within {near:g}, since the laws are asymptotic and nothing here is. All "
    "verdicts follow from the result file by this rule."
)
THEORY_ELICITATION = (
    "A hidden β, drawn anew each time, and a population of {population:,} rows, on which the metric is computed from "
    "η itself: the paper's consistency. Restricted queries, golden section to a precision of ε in α "
    "([method.md](method.md#elicitation)). On a finite number of rows the metric is a staircase: precisions of "
    "{stair} rows or more take part in the fits, and below them the error stays where it is. The paper's γ has ε/2: "
    "an exponent of 1. It counts O(log 1/ε) evaluations for each class; golden section leaves 0.618 of a stretch for "
    "each query, and the precisions are those at which its whole steps end."
)
THEORY_FINITE = (
    "Labels are drawn from η, the classes have equal shares, and β is 2 and ½ in turn with 1 for the fixed class: ρ "
    "= 1/3 for every m. `cwplugin` is Algorithm 1 with the exact search (ε = 0) over all α, not the paper's α ≤ 1 − "
    "ρ, which needs ρ to be known. The paper bounds the error by a multiple of `n^(−1/2)`. What maximises a *count* "
    "of rows is known to be able to be slower: the count's noise near the peak is that of the few rows between two "
    "α, while the peak is as flat as a parabola, and the two balance at `n^(−1/3)`. `expected` sees the labelled "
    "rows alone. Below {counted:,} labels it counts mended probabilities, which are smooth, and believes that the "
    "black box is right, as it is here; from {counted:,} on it counts the labels themselves, as Algorithm 1 does: "
    "two methods, two lines. Where it hands back a map with more than one slope, the weights that imitate its "
    "predictions best on {imitated_on:,} other rows are compared with β; with one slope it is plain weights anyhow. "
    "Sizes of at least {rows_of_a_class} rows a class take part."
)
THEORY_CONSTANTS = (
    "The same error at the largest n, against m; and for three classes against `ρ = min_k β_r / (β_r + β_k)`, where "
    "the two free classes share one β and the third is fixed. The bound is `m·γ/(1 − ρ)²`: a power 1 of m and −2 of "
    "1 − ρ. It is an upper bound, so that a flatter slope does not contradict it; it says that the bound is not "
    "tight."
)
THEORY_RHO_RISES = (
    "In all of these the error *falls* as 1 − ρ falls, where the bound rises: a class that is worth little beside "
    "the fixed one has a small weight, and a small weight is off by little."
)
THEORY_RHO_MIXED = (
    "In {part} of {all} of these the error *falls* as 1 − ρ falls, where the bound rises; that a class which is "
    "worth little beside the fixed one has a small weight, off by little, outweighs the rest there."
)
THEORY_EVALUATIONS = (
    "The paper's table of run-times: O(mn/ε) for the line search, O(n/ε) with balanced classes; O(mn log 1/ε) and "
    "O(n log 1/ε) for the binary search. Counted here are evaluations of the metric, and for each pair its "
    "evaluations times its rows, which is the time of a program that evaluates as the paper writes. *Worst case*: "
    "{share:.0f} % of the rows are of the fixed class and take part in every pair. With balanced classes a pair has "
    "2n/m rows. From {classes} classes on, cells take part in the fits against pairs. `cwplugin` itself does not "
    "work this way: it sorts or counts the cuts of all rows in one pass and evaluates on counts, so that its time is "
    "not evaluations × rows ([decision 0010](decisions/0010-one-pass-kernels.md), [benchmarks.md](benchmarks.md)); "
    "its `exact` search, which the paper does not have, evaluates at cuts and knows no ε."
)
