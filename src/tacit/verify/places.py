"""Where the cases of each target stand: a target is audited without importing any other."""

from __future__ import annotations

from collections.abc import Mapping

Places = Mapping[str, tuple[str, ...]]
"""What holds a target's cases, by the target's name: a module, or a `module:function`."""

_PRIVATE = {
    "choice": "exponential permute-and-flip vote-tally near-choice",
    "wrapping": """hold-out-selection resample subsample-and-aggregate
        rows-dealt-by-words""",
    "noise": """discrete-laplace split-laplace discrete-gaussian discrete-gaussian-vector
        randomised-response measurement group-measurement""",
    "stable": """pure-histogram stability-histogram stability-selection stable-release
        noisy-stable-release""",
    "points": """centre-point interior-point heavy-prefixes private-quantile prefix-quantile
        stable-point-learner tally-point-learner hashed-tally-learner prefix-threshold-learner
        tree-threshold-learner prior-learner""",
    "every_class": """generic-learner cover-learner label-private-learner public-cover-learner
        with-public-rows""",
    "representations": "choice protocol-learner representation-learner hashed-point-learner",
    "rules": """box-ascent-learner per-side-box-learner
        margin-learner counted-learner short-rule-learner party-counts
        parties-learner three-satisfiability""",
    "algebra": """parity-learner block-parity-learner line-learner voting-line-learner
        published-line-learner""",
    "queries": """statistical-query-learner local-learner private-queries
        local-queries party-queries""",
    "many_labels": """direct-sum histogram-learner pure-histogram-learner split-cover prefix-cover
        told-cover histogram-cover synthetic-cover label-histogram-learner
        shared-cover-learner sanitized-learner joint-margin joint-counted""",
    "made_from": """selected-learner confidence-booster empirical-learner optimiser
        measured-learner rule-measurement grouped-measurement weighted-learner""",
    "persons": "by-person one-row-each",
    "units.sites": "site",
    "units.added": "told-number added-learner added-measurement added-measured-learner",
    "sanitizers": """histogram-sanitizer tree-sanitizer point-sanitizer quantile-sanitizer
        prefix-sanitizer blr-sanitizer multiplicative-weights marginal-sanitizer
        pair-sanitizer""",
}
"""What claims to be private, by kind: the function of a target's name makes its cases."""

_TABLES = """
csv parquet-pyarrow parquet-groups parquet-bare parquet-polars parquet-pandas parquet-duckdb
parquet-duckdb-v2 pandas polars polars-lazy pyarrow numpy lists duckdb
"""

_BROKEN = {
    "selection": """exponential-without-half permute-and-flip-as-bounded-range
        domain-read-off-the-data candidates-deduplicated
        budget-counted-once best-of-three-runs tally-without-room-for-the-others
        tally-with-too-large-a-share tally-of-too-many-that-tie tally-with-a-lead-in-votes
        tally-as-bounded-range near-choice-with-a-low-scale near-choice-whose-none-stays
        near-choice-by-penalties-added""",
    "stability": """printed-a-dist half-the-gap-without-an-offset runner-up-among-observed
        selection-with-the-larger-factor-twice
        histogram-threshold-off-by-one
        small-cells-suppressed printed-point-sanitizer""",
    "noise": """half-the-noise seed-reused float-laplace one-group-moves-alone
        priced-as-continuous""",
    "pipelines": """printed-parity-keep-probability secrecy-of-the-sample-swapped
        data-dependent-exception blocks-by-value retried-until-good
        coins-thrown-again""",
    "learners.queries": """adaptive-queries-on-one-sample blocks-that-overlap
        one-noise-for-all-counts grades-counted-as-one noise-at-one-party-only
        noise-shared-by-parties randomised-response-by-fair-coin""",
    "learners.choices": """printed-a-dist-point-learner box-of-any-positives
        cover-that-consults-the-sample unclipped-gradient uncut-pull
        counts-for-half-the-sensitivity threshold-by-the-rows
        best-of-two-hashes hit-buckets-only noise-for-records-that-occur
        score-in-units-of-a-third candidates-by-labels budget-for-each-label
        labels-only-for-whole-rows labellings-of-the-raw-points labels-of-told-points
        pulls-cut-one-by-one marks-counted-one-by-one
        prior-by-rows-covered cover-of-private-points public-rows-as-the-private-ones""",
    "learners.budgets": """prefix-steps-uncharged cover-that-is-not-charged rows-at-both-parties
        sanitized-rows-used-again budget-counted-once-for-all-labels held-out-rows-learned-from
        calibrated-on-rows-learned-from threshold-chosen-on-held-out-rows weights-as-one-row""",
    "learners.algebra": """line-vote-among-observed line-vote-in-both-polls line-learner-refuses
        line-lead-not-halved line-vote-with-a-low-bar block-parity-without-a-spare-row
        printed-block-parity-learner printed-parity-learner
        parity-learner-gives-up-too-rarely parity-learner-tries-again""",
    "hiding": """sampler-apart-from-its-law no-noise-above-50-rows certain-above-50-rows
        budget-for-two-labels rows-outside-repr no-noise-above-epsilon-4""",
    "sanitizers": """sanitizer-reused budget-counted-once histogram-of-one-cell tree-by-depth
        parities-scaled-for-free printed-point-sanitizer heavy-prefixes-kept
        delta-at-each-length cells-counted-exactly pairs-as-one
        rows-told-apart-by-pairs sums-that-stay-in-their-group budget-for-each-table""",
    "persons": """cap-after-filtering identifiers-told-apart-by-case persons-of-each-file
        rows-told-as-n rows-weighed-alike weight-by-all-rows""",
    "added": """number-of-rows-printed two-way-scores-doubled half-of-the-rows-held-out
        empty-table-refused caution-by-the-secret-number""",
    "sites": """noise-forgotten-on-one-count labels-for-the-price-of-one
        rows-of-a-house-in-the-clear share-of-noise-by-the-root share-of-noise-divided
        share-of-noise-unmasked rows-pulled-as-they-are rounds-for-the-price-of-one""",
    "tables": """table-folded-nan table-chunked-mark table-inferred-type table-column-maximum
        table-one-exception table-first-date-format table-persons-by-case table-persons-by-type
        table-persons-of-each-file table-rows-for-persons""",
}
"""The twins, by what they break: what stands under a target's name is a case, or makes cases."""


def _places(folder: str, kinds: dict[str, str]) -> dict[str, tuple[str, ...]]:
    known: dict[str, tuple[str, ...]] = {}
    for module, names in kinds.items():
        for name in names.split():
            place = f"tacit.verify.{folder}.{module}:{name.replace('-', '_')}"
            known[name] = (*known.get(name, ()), place)
    return known


PLACES: Places = {
    **_places("cases", _PRIVATE),
    **{f"table-{name}": ("tacit.verify.tables",) for name in _TABLES.split()},
    **_places("broken", _BROKEN),
}
"""Every target: what claims to be private, tables, and the broken twins."""
