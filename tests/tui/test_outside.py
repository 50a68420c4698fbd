"""Links out of the store: to the web and mailboxes alone, after asking, with all of the target shown."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import pytest

from tests.tui.linear_talk import talk
from tests.tui.sitting import Sitting, desk_at, sitting
from tui.detail import Card
from tui.screens.leaving import LeavingScreen

WEB = "https://аррӏе.com/support?" + "q" * 3000 + "&end"
ASKED = [
    WEB,
    "http://example.test/",
    "HTTPS://example.test/x",
    "mailto:ops@example.test?subject=hi",
]
TEXT = [
    "javascript:alert(1)",
    "file:///etc/passwd",
    "data:text/html,hi",
    "ssh://host",
    "vscode://x",
    "httpx://a",
    "MEMORY:note-1",
]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was handed to the system's browser."""
    asked: list[str] = []
    monkeypatch.setattr(webbrowser, "open", lambda url: asked.append(url) or True)
    return asked


def write(store: Path, content: str) -> None:
    """Make the newest draft, and a canonical record, of a text."""
    desk = desk_at(store)
    desk.edit("note-9", desk.review("note-9").record.revision, content=content)
    other = desk.edit("note-8", desk.review("note-8").record.revision, content=content)
    desk.approve_record("note-8", other.revision)
    desk.close()


async def light(seat: Sitting, where: str) -> Card:
    """Go to the card of the text, on a screen, and light its first link."""
    if where == "browse":
        await seat.press("b")
        await seat.press("j")
    card = next(card for card in seat.app.screen.query(Card) if card.stops)
    card.focus()
    await seat.press("tab")
    return card


@pytest.mark.parametrize("where", ["inbox", "browse"])
@pytest.mark.parametrize("url", ASKED)
async def test_a_link_is_opened_only_after_its_whole_target_was_shown(
    store: Path, opened: list[str], url: str, where: str
) -> None:
    write(store, f"[the page](<{url}>)")
    async with sitting(store) as seat:
        card = await light(seat, where)
        assert card.active_stop is not None
        assert card.active_stop.target == url
        await seat.press("enter")
        assert isinstance(seat.app.screen, LeavingScreen)
        assert str(seat.app.screen.query_one("#leaving-url").render()) == url
        await seat.press("escape")
        assert opened == []
        await seat.press("enter", "o")
        assert opened == [url]


@pytest.mark.parametrize("where", ["inbox", "browse"])
@pytest.mark.parametrize("url", TEXT)
async def test_any_other_scheme_is_text(
    store: Path, opened: list[str], url: str, where: str
) -> None:
    write(store, f"[the page](<{url}>) and <{url}>, see [[note-7]]")
    async with sitting(store) as seat:
        card = await light(seat, where)
        targets = {stop.target for stop in card.stops if stop.kind == "link"}
        assert not any(url.casefold() in target.casefold() for target in targets)
        assert url in "".join(line.text.strip() for line in card._painted.lines)
        assert opened == []


async def test_the_host_is_told_in_ascii_above_a_target_that_must_be_scrolled(store: Path) -> None:
    write(store, f"[the page](<{WEB}>)")
    async with sitting(store, size=(80, 24)) as seat:
        await light(seat, "inbox")
        await seat.press("enter")
        screen = seat.app.screen
        assert isinstance(screen, LeavingScreen)
        told = "Its host is xn--80ak6aa92e.com, which reads аррӏе.com."
        assert str(screen.query_one("#leaving-host").render()) == told
        assert told in shown(seat)
        assert "&end" not in shown(seat)
        await seat.press("end")
        assert "&end" in shown(seat)
        assert "o opens it" in shown(seat)


async def test_a_host_that_shows_itself_is_not_told_twice(store: Path) -> None:
    write(store, "[the page](https://example.test/)")
    async with sitting(store) as seat:
        await light(seat, "inbox")
        await seat.press("enter")
        assert not seat.app.screen.query("#leaving-host")


async def test_an_address_that_no_program_takes_is_said_so(
    store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(url: str) -> bool:
        raise OSError("Argument list too long")

    monkeypatch.setattr(webbrowser, "open", refuse)
    write(store, f"[the page](<{WEB}>)")
    async with sitting(store) as seat:
        await light(seat, "inbox")
        await seat.press("enter", "o")
        assert seat.notices == ["No browser takes this address."]
        assert isinstance(seat.app.screen, LeavingScreen)


def test_line_by_line_nothing_is_opened_and_all_is_told(store: Path, opened: list[str]) -> None:
    for url in ASKED:
        write_draft(store, f"[the page](<{url}>)")
        said = talk(store, "links", "follow 1").lines
        assert f"1. leads out of the store: {url}, the page" in said
        assert f"This link leads out of the store, and is not opened: {url}" in said
        assert said.count("Its host is xn--80ak6aa92e.com, which reads аррӏе.com.") == 2 * (
            url == WEB
        )
    for url in TEXT:
        write_draft(store, f"[the page](<{url}>)")
        assert "No links." in talk(store, "links").lines
    assert opened == []


def write_draft(store: Path, content: str) -> None:
    desk = desk_at(store)
    desk.edit("note-9", desk.review("note-9").record.revision, content=content)
    desk.close()


def shown(seat: Sitting) -> str:
    return "\n".join(strip.text for strip in seat.app.screen._compositor.render_strips())
