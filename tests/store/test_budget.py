"""A budget is filled with whole records in rank order, and never exceeded."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.budget import fill
from store.tokens import fallback_tokens

CASES = json.loads((Path(__file__).parents[1] / "cases" / "budget.json").read_text())["cases"]


@pytest.mark.parametrize(
    "case", [case for case in CASES if "given" in case], ids=lambda case: case["budget"]
)
def test_the_cases(case: dict) -> None:
    ranked = [(id, fallback_tokens(case["records"][id])) for id in case["rank"]]
    filled = fill(ranked, case["budget"])
    assert list(filled.given) == case["given"]
    assert list(filled.dropped) == case.get("dropped", [])
    assert filled.tokens == case.get("tokens", 0)


@pytest.mark.parametrize("budget", [0, -1])
def test_no_budget_fits_nothing_not_even_an_empty_record(budget: int) -> None:
    assert fill([("empty", 0)], budget).given == ()


sizes = st.lists(st.integers(0, 300), max_size=30)


@given(sizes=sizes, budget=st.integers(-10, 1000))
def test_it_never_exceeds_the_budget_and_keeps_the_order(sizes: list[int], budget: int) -> None:
    filled = fill(list(enumerate(sizes)), budget)
    assert filled.tokens == sum(sizes[n] for n in filled.given) <= max(budget, 0)
    assert sorted(filled.given + filled.dropped) == list(range(len(sizes)))
    assert list(filled.given) == sorted(filled.given)
    assert list(filled.dropped) == sorted(filled.dropped)


@given(sizes=sizes, budget=st.integers(1, 1000))
def test_what_is_dropped_did_not_fit_beside_the_better_ones(sizes: list[int], budget: int) -> None:
    filled = fill(list(enumerate(sizes)), budget)
    for n in filled.dropped:
        assert sum(sizes[better] for better in filled.given if better < n) + sizes[n] > budget
