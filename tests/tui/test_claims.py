"""Two inboxes over one store: each sees what the other is about to decide; one alone sees nothing of it."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from store.clock import to_micros
from store.errors import SourceUnavailable
from store.local import LocalDesk, open_desk
from store.records import CLAIM_SECONDS, Claim
from tests.tui.linear_talk import talk
from tests.tui.sitting import NOW, Sitting, sitting
from tui.detail import Card
from tui.keeping import Keeper

UNTIL = NOW + timedelta(seconds=CLAIM_SECONDS)
AT = f"{UNTIL.astimezone():%H:%M}"


@pytest.fixture
def bob(store: Path) -> Iterator[LocalDesk]:
    """Somebody else's desk over the same store."""
    desk = open_desk(str(store), reviewer="bob")
    desk.clock = lambda: to_micros(NOW)
    yield desk
    desk.close()


async def look(seat: Sitting) -> None:
    seat.inbox.look()
    await seat.settle()


def claimed(desk: LocalDesk) -> dict[str, str]:
    return {claim.id: claim.by for claim in desk.claims()}


def line_text(seat: Sitting, line: int) -> str:
    return seat.rows.render_line(line).text


async def test_marks_that_decide_are_claims_for_as_long_as_they_stand(
    store: Path, bob: LocalDesk
) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "r", "s")
        assert claimed(bob) == {"note-9": "ann", "note-8": "ann"}
        await seat.press("u", "u")
        assert claimed(bob) == {"note-9": "ann"}
        await seat.press("p", "A")
        assert claimed(bob) == {}
        assert bob.history(limit=1)[0].by == "ann"


async def test_an_operator_alone_sees_nothing_of_claims(store: Path) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "r", "u")
        await look(seat)
        assert "claim" not in seat.header + seat.footer + seat.said
        assert "@" not in "".join(line_text(seat, line) for line in range(10))
        assert seat.notices == []
    other = open_desk(str(store), reviewer="ann")
    assert other.claims() == ()
    other.close()


@pytest.mark.parametrize("size", [(120, 40), (80, 24)])
async def test_a_draft_that_somebody_else_has_says_so_and_cannot_be_marked(
    store: Path, bob: LocalDesk, size: tuple[int, int]
) -> None:
    bob.claim(["note-9"])
    async with sitting(store, size=size) as seat:
        assert "@   note-9" in line_text(seat, 0)
        assert "bob" in line_text(seat, 0)
        assert AT in line_text(seat, 0)
        assert str(seat.inbox.query_one(Card).border_subtitle) == f"claimed by bob until {AT}"
        assert "1 claimed by others" in seat.header
        await seat.press("a")
        assert seat.said == f"approve: claimed by bob until {AT}"
        await seat.click_row(0, column=1)
        assert seat.marks == {}
        await seat.press("T")
        assert "no claim of somebody else has expired here" in seat.said
        bob.release(["note-9"])
        await look(seat)
        assert seat.inbox.query_one(Card).border_subtitle is None
        await seat.press("a")
        assert seat.marks == {"note-9": "approve"}


async def test_a_mark_on_what_somebody_has_just_claimed_falls_with_his_name(
    store: Path, bob: LocalDesk
) -> None:
    async with sitting(store) as seat:
        bob.claim(["note-9"])
        await seat.press("a")
        assert seat.marks == {}
        assert seat.notices == [f"note-9 is claimed by bob until {AT} (approve)"]
        assert claimed(bob) == {}


async def test_many_at_once_leave_out_and_go_past_what_others_have(
    store: Path, bob: LocalDesk
) -> None:
    bob.claim(["note-8", "note-6"])
    async with sitting(store) as seat:
        await seat.press("a")
        assert seat.here == "note-7"
        await seat.press("g", "v", "j", "j", "j", "r")
        assert seat.marks == dict.fromkeys(["note-9", "note-7"], "reject")
        assert seat.said == "reject: 2 drafts, 2 claimed by others left out"


async def test_an_expired_claim_has_to_be_taken_over_before_the_draft_can_be_marked(
    store: Path, bob: LocalDesk
) -> None:
    bob.clock = lambda: to_micros(NOW - timedelta(seconds=CLAIM_SECONDS))
    bob.claim(["note-9"])
    async with sitting(store) as seat:
        assert "late" in line_text(seat, 0)
        await seat.press("a")
        assert seat.said == "approve: claimed by bob, expired: T takes it over"
        await seat.press("T")
        assert seat.said == "taken over: note-9"
        assert claimed(bob) == {"note-9": "ann"}
        await seat.press("a")
        assert seat.marks == {"note-9": "approve"}


async def test_what_was_taken_over_loses_its_mark_when_the_other_comes_back(
    store: Path, bob: LocalDesk
) -> None:
    async with sitting(store) as seat:
        await seat.press("a", "a")
        bob.clock = lambda: to_micros(UNTIL)
        assert bob.claim(["note-9"], take_over=True) == ()
        seat.app.renew_claims()
        await seat.settle()
        assert seat.marks == {"note-8": "approve"}
        assert "note-9 is claimed by bob" in seat.notices[0]


async def test_renewing_puts_the_end_off(store: Path, bob: LocalDesk) -> None:
    async with sitting(store) as seat:
        await seat.press("a")
        desk = seat.app.desk
        assert isinstance(desk, LocalDesk)
        desk.clock = lambda: to_micros(UNTIL - timedelta(seconds=1))
        seat.app.renew_claims()
        await seat.settle()
        assert bob.claims()[0].until == UNTIL + timedelta(seconds=CLAIM_SECONDS - 1)


async def test_marks_of_an_earlier_sitting_are_claimed_again_or_fall(
    store: Path, bob: LocalDesk, tmp_path: Path
) -> None:
    keeper = Keeper(tmp_path / "marks.json", "test")
    async with sitting(store, keeper=keeper) as seat:
        await seat.press("a", "a")
        bob.clock = lambda: to_micros(UNTIL)
        bob.claim(["note-9"], take_over=True)
    async with sitting(store, keeper=Keeper(tmp_path / "marks.json", "test")) as seat:
        assert seat.marks == {"note-8": "approve"}


async def test_a_store_that_is_away_for_a_claim_costs_no_notice_and_is_asked_again(
    store: Path, bob: LocalDesk
) -> None:
    class Away(LocalDesk):
        away = True

        def claim(self, ids: object, *, take_over: bool = False) -> tuple[Claim, ...]:
            if self.away:
                raise SourceUnavailable("the disk is gone")
            return super().claim(ids, take_over=take_over)  # type: ignore[arg-type]

    desk = Away(str(store))
    desk.open()
    desk.reviewer = "ann"
    desk.clock = lambda: to_micros(NOW)
    async with sitting(store, open_desk=lambda: desk) as seat:
        await seat.press("a")
        assert (seat.marks, seat.notices) == ({"note-9": "approve"}, [])
        desk.away = False
        await seat.press("a")
        assert set(claimed(bob)) == {"note-9", "note-8"}


def test_line_by_line_marks_are_claims_and_others_claims_are_said(
    store: Path, bob: LocalDesk
) -> None:
    bob.claim(["note-9"])
    done = talk(store, "approve", "approve", lambda: bob.claim(["note-7"]), "show", "quit", "leave")
    assert f"Draft 1 of 10: note-9, claimed by bob until {AT}." in done.lines
    assert f"Mark dropped: note-9 is claimed by bob until {AT} (approve)." in done.lines
    assert done.marks == {"note-8": "approve"}
    assert claimed(bob) == {"note-8": "ann"}
    assert f"Draft 3 of 10: note-7, claimed by bob until {AT}." in done.lines


def test_line_by_line_an_expired_claim_is_taken_over_by_a_word(store: Path, bob: LocalDesk) -> None:
    bob.clock = lambda: to_micros(NOW - timedelta(seconds=CLAIM_SECONDS))
    bob.claim(["note-9", "note-7"])
    done = talk(store, "takeover 2", "takeover", "T 1-3", "go 1", "approve")
    assert "takeover: no claim of somebody else has expired here" in done.lines
    assert [line for line in done.lines if line.startswith("taken over")] == [
        "taken over: note-9.",
        "taken over: note-7.",
    ]
    assert done.marks == {"note-9": "approve"}


async def test_a_provider_without_claims_greys_taking_over(store: Path, tmp_path: Path) -> None:
    path = shutil.copy(store, tmp_path / "frozen.db")

    def read_only() -> LocalDesk:
        return open_desk(str(path), reviewer="ann", read_only=True)

    async with sitting(store, open_desk=read_only) as seat:
        await seat.press("T")
        assert seat.said == "take over: the store is open read-only"
