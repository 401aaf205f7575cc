"""Split noise and masks: shares add up, masks cancel, and nothing else is joined."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from tacit.core import Decay
from tacit.core.chance.randomness import Seeded
from tacit.core.errors import InvalidArgument
from tacit.mechanisms import DiscreteLaplace, SplitLaplace
from tacit.workflows.sites.answering import answer
from tacit.workflows.sites.asking import join_messages
from tacit.workflows.sites.masks import RING, Mask, Masks, PublicMask, new_mask
from tacit.workflows.sites.message import SiteMessage
from tacit.workflows.sites.question import SiteQuestion, canonical
from tests.support.messages import NOW, SCHEMA, Houses, rows

TABLES = [rows(400, 1), rows(300, 2), rows(500, 3)]
COUNT: Any = {"by": ["ill"], "mean": ["age"], "neighbours": "added"}


@pytest.fixture(scope="module")
def houses() -> Houses:
    return Houses.of(3)


@pytest.fixture(scope="module")
def question(houses: Houses) -> SiteQuestion:
    return houses.ask("count", **COUNT, epsilon=600, honest=2)


def test_masks_cancel_in_the_sum_and_hide_everything_else(
    houses: Houses, question: SiteQuestion
) -> None:
    masks = houses.masks(question)
    one, two, three = (each.over([[5, -7], [0]]) for each in masks)
    sums = [
        tuple(sum(cells) % RING for cells in zip(*table, strict=True))
        for table in zip(one, two, three, strict=True)
    ]
    assert sums == [(15, RING - 21), (0,)]
    cells = [cell for told in (one, two, three) for table in told for cell in table]
    assert len({cell >> 64 for cell in cells}) == 9
    pair = [(a + b) % RING for a, b in zip(one[0], two[0], strict=True)]
    assert min(min(p, RING - p) for p in pair) > 1 << 64
    assert masks[0].over([[5, -7], [0]]) == one != houses.masks(question)[0].over([[5, -7], [0]])
    site, other = sorted({*houses.sites} - {masks[0].site})
    public = {**masks[0].public, other: houses.masks(question)[0].public[other]}
    again = replace(masks[0], public=public)  # a stream is of all public masks, not of two
    assert set(again._stream(site, 3)).isdisjoint(masks[0]._stream(site, 3))


def test_joined_messages_have_the_sum_and_its_noise(houses: Houses, question: SiteQuestion) -> None:
    assert SiteQuestion.loads(question.dumps()) == question
    texts = houses.answer(question, TABLES)
    message = SiteMessage.loads(texts[0])
    assert message.dumps() == texts[0]
    for cell in (-1, RING):
        bare = replace(message, tables=((cell, 0), message.tables[1])).signed(houses.keys[0])
        with pytest.raises(InvalidArgument, match="must be masked"):
            bare.check()
    joined, told = join_messages(texts)
    ages = np.concatenate([table["age"] for table in TABLES])
    assert [a.value for a in told.answers[:2]] == [(ages < 60).sum(), (ages >= 60).sum()]
    assert (joined.draws, joined.said.count("followed the protocol")) == (1.5, 1)
    whole = replace(joined, question=houses.ask("count", **COUNT, epsilon=600))
    assert joined.variance(0) == pytest.approx(whole.variance(0) / 2)
    near = houses.ask("count", **COUNT, epsilon="1/5")
    split = houses.ask("count", **COUNT, epsilon="1/5", honest=2)
    widths = [replace(joined, question=each).width(0, joined.draws / 30) for each in (near, split)]
    assert 1.3 < widths[0] / widths[1] < 1.5


def test_measured_counts_know_what_noise_they_have(houses: Houses) -> None:
    card: Any = {"labels": ["ill"], "features": ["age"], "epsilon": 300}
    model = join_messages(houses.answer(houses.ask("scorecard", **card), TABLES))[1]
    schema = type(SCHEMA)({name: SCHEMA[name] for name in ("age", "ill")})
    told = []
    for honest in (2, None):
        asked = houses.ask("measure", schema, model=model, epsilon="1/10", honest=honest)
        told.append(join_messages(houses.answer(asked, TABLES, schema))[1].readings[0])
        with pytest.raises(InvalidArgument, match="another schema"):
            SiteQuestion.loads(canonical(asked.encode() | {"schema": SCHEMA.dump()}))
    assert told[0] == type(told[0]).decode(told[0].encode())
    split, own = (each.noise(0).reach(0.01) for each in told)
    assert 1.3 < own / split < 1.6


def test_shares_are_of_the_law_that_they_say() -> None:
    """At a rate where every part of the integers is drawn from: the shares of 3 houses in 1000."""
    noise, many = SplitLaplace("1/1000", shares=3), 1500
    total = sum(noise(np.zeros(many, dtype=np.int64), rng=Seeded(place)) for place in range(3))
    whole = DiscreteLaplace("1/1000")
    for reach in (1, 300, 1000, 3000):
        share = float(np.mean([abs(z) >= reach for z in np.asarray(total).tolist()]))
        assert abs(share - float(whole.failure(reach))) < 0.04  # the seeds are fixed
    assert noise.decay == Decay.of(noise.epsilon)


def test_masks_that_do_not_fit_are_refused(houses: Houses, question: SiteQuestion) -> None:
    own = [new_mask(question) for _ in houses.keys]
    shown = [mask.public(question, key) for mask, key in zip(own, houses.keys, strict=True)]
    other = houses.ask("count", **COUNT, honest=2)
    site = houses.sites[0]
    for mask, public, said in (
        (own[0], shown[:2], "each of the 3 houses"),
        (own[0], [*shown, shown[1]], "each of the 3 houses"),
        (own[1], shown, "private part"),
        (new_mask(other), shown, "another question"),
        (own[0], [*shown[:2], new_mask(other).public(other, houses.keys[2])], "another question"),
        (own[0], [*shown[:2], replace(shown[2], public="0" * 64)], "is no key"),
    ):
        with pytest.raises(InvalidArgument, match=said):
            Masks.of(question, site, mask, public)
    with pytest.raises(InvalidArgument, match="private part"):
        Masks.of(question, "0" * 64, own[0], shown)
    assert PublicMask.loads(shown[0].dumps()) == shown[0]
    assert Mask.loads(own[0].dumps()).shown == own[0].shown
    stranger = X25519PrivateKey.generate().public_key().public_bytes_raw().hex()
    for changed in (
        replace(shown[0], public=stranger),
        replace(shown[0], site=houses.sites[1]),
        replace(shown[0], question=other.digest),
        replace(shown[0], site="no key"),
    ):
        with pytest.raises(InvalidArgument, match="signature"):
            PublicMask.loads(changed.dumps())
    for text in ("{}\n", own[0].dumps(), shown[0].dumps() + " ", "tacit-mask-1 private 00 11"):
        with pytest.raises(InvalidArgument):
            PublicMask.loads(text)
    for text in ("", shown[0].dumps(), "tacit-mask-1 private 00 11"):
        with pytest.raises(InvalidArgument, match="not a private mask"):
            Mask.loads(text)
    with pytest.raises(InvalidArgument, match="no message that is masked"):
        new_mask(question).public(question, Houses.of(1).keys[0])


def test_a_house_answers_masked_if_and_only_if_noise_is_split(
    houses: Houses, question: SiteQuestion
) -> None:
    plain, site, spent = houses.ask("count", **COUNT), houses.sites[0], list[int]()
    masks = houses.masks(question)[0]
    for asked, given in ((plain, masks), (question, None)):
        with pytest.raises(InvalidArgument, match="--masks"):
            answer(rows(9), SCHEMA, question=asked, site=site, now=NOW, masks=given)
    told = answer(
        rows(9),
        SCHEMA,
        question=question,
        site=site,
        now=NOW,
        masks=masks,
        spend=lambda: spent.append(1),
    )
    assert spent == [1]
    assert min(cell for table in told.tables for cell in table) > 1 << 64


def test_a_missing_house_is_not_done_without(houses: Houses, question: SiteQuestion) -> None:
    texts = houses.answer(question, TABLES)
    for some in (True, False):
        with pytest.raises(InvalidArgument, match="masks" if some else "no message"):
            join_messages(texts[:2], some=some)
    with pytest.raises(InvalidArgument, match="same public masks"):
        join_messages([*texts[:2], houses.answer(question, TABLES)[2]])


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"honest": 1}, "between 2 at least"),
        ({"honest": 3}, "not all"),
        ({"honest": 2, "delta": "1e-6"}, "delta must be 0"),
    ],
)
def test_noise_that_cannot_be_split_is_refused(
    asked: dict[str, Any], said: str, houses: Houses
) -> None:
    with pytest.raises(InvalidArgument, match=said):
        houses.ask("count", by=["ill"], **asked)


def test_a_conjunction_needs_each_houses_own_noise(houses: Houses) -> None:
    with pytest.raises(InvalidArgument, match="each house's noise"):
        houses.ask("conjunction", labels=["ill"], features=["ill"], honest=2)
