"""Where the cases of each target stand: a target is audited without importing any other."""

from __future__ import annotations

from collections.abc import Mapping

Places = Mapping[str, tuple[str, ...]]
"""The modules that hold a target's cases, by the target's name."""

_SHARED = {
    "split-cover": "covers_of_points",
    "told-cover": "covers_of_points",
    "discrete-gaussian-vector": "discrete_gaussian",
    "prefix-quantile": "private_quantile",
    "rec-concave-threshold-learner": "rec_concave",
    "noisy-stable-release": "stable_release",
}
"""Targets whose cases are built by a module that has another target's name, or neither's."""

_PRIVATE = """
protocol-learner above-threshold block-parity-learner blr-sanitizer box-ascent-learner centre-point
centre-point-halfspace-learner choice confidence-booster cover-learner decision-list-learner
split-cover told-cover direct-sum discrete-gaussian discrete-gaussian-vector discrete-laplace
empirical-learner exponential generic-learner hashed-point-learner histogram-learner
histogram-sanitizer hold-out-selection interior-point label-private-learner line-learner
local-learner simulated-local-learner margin-learner marginal-sanitizer multiplicative-weights
optimiser parity-learner parties-learner party-counts per-side-box-learner permute-and-flip
point-sanitizer prefix-threshold-learner prior-learner private-quantile prefix-quantile
private-queries propose-test-release pure-histogram quantile-sanitizer randomised-response
rec-concave rec-concave-threshold-learner repeated-selection representation-learner resample
sanitized-learner selected-learner shared-cover-learner stability-histogram stability-selection
stable-erm-learner stable-point-learner stable-release noisy-stable-release
statistical-query-learner subsample-and-aggregate three-satisfiability threshold-selection
tree-sanitizer voting-line-learner
"""

_TABLES = """
csv parquet-pyarrow parquet-groups parquet-bare parquet-polars parquet-pandas parquet-duckdb
parquet-duckdb-v2 pandas polars polars-lazy pyarrow numpy lists duckdb
"""

_BROKEN = {
    "learners.approximate": "printed-a-dist-point-learner prefix-steps-uncharged",
    "selection": """repetition-priced-once exponential-without-half
        permute-and-flip-as-bounded-range domain-read-off-the-data candidates-deduplicated
        budget-counted-once best-of-three-runs""",
    "stability": """printed-a-dist runner-up-among-observed histogram-threshold-off-by-one
        small-cells-suppressed printed-point-sanitizer""",
    "noise": """half-the-noise seed-reused sparse-vector-without-query-noise
        sparse-vector-half-query-noise propose-test-release-too-kind float-laplace""",
    "pipelines": """printed-parity-keep-probability secrecy-of-the-sample-swapped
        data-dependent-exception blocks-by-value retried-until-good""",
    "learners.queries": """adaptive-queries-on-one-sample blocks-that-overlap
        one-noise-for-all-counts reports-simulated-from-true-shares
        randomised-response-by-fair-coin""",
    "learners.boxes": "box-of-any-positives",
    "learners.covers": "cover-that-is-not-charged cover-that-consults-the-sample",
    "learners.parties": "rows-at-both-parties",
    "learners.gradients": "unclipped-gradient",
    "learners.lines": """line-vote-among-observed line-vote-in-both-polls line-learner-refuses
        line-lead-not-halved""",
    "learners.lists": "list-caution-forgotten list-by-purity",
    "learners.many_labels": "budget-counted-once-for-all-labels block-parity-without-a-spare-row",
    "learners.parities": """printed-parity-learner parity-learner-gives-up-too-rarely
        parity-learner-tries-again""",
    "learners.hashing": "best-of-two-hashes hit-buckets-only",
    "hiding": """sampler-apart-from-its-law no-noise-above-50-rows certain-above-50-rows
        budget-for-two-labels rows-outside-repr no-noise-above-epsilon-4""",
    "sanitizers": """sanitizer-reused budget-counted-once histogram-of-one-cell tree-by-depth
        parities-scaled-for-free printed-point-sanitizer""",
    "tables": """table-folded-nan table-chunked-mark table-inferred-type table-column-maximum
        table-one-exception""",
}


def _places() -> dict[str, tuple[str, ...]]:
    known: dict[str, tuple[str, ...]] = {}
    for name in _PRIVATE.split():
        module = _SHARED.get(name, name.replace("-", "_"))
        known[name] = (f"tacit.verify.cases.{module}",)
    for name in _TABLES.split():
        known[f"table-{name}"] = ("tacit.verify.tables",)
    for module, names in _BROKEN.items():
        for name in names.split():
            known[name] = (*known.get(name, ()), f"tacit.verify.broken.{module}")
    return known


PLACES: Places = _places()
"""Every target: what claims to be private, tables, and the broken twins."""
