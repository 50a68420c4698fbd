"""The card: walking, following and jumping to links by key and by mouse, folds, themes, widths."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.widgets import Button

from render.tree import Collapsible, Group, Link, Node, Text
from tui.detail import Card, LinkFollowed
from tui.painting.lighting import STOP
from tui.screens.leaving import LeavingScreen

LONG = Group(
    (
        Group((Text("ask the "), Link("deploy pipeline runbook", "memory:deploy%20runbook"))),
        *(Group((Text(f"line {n}"),)) for n in range(30)),
        Group((Link("last", "memory:last"),)),
        Collapsible("more", (Group((Link("inside", "memory:inside"),)),)),
    )
)


class CardApp(App[None]):
    """A card and, below, something else that can have the focus."""

    CSS = "Card { height: 1fr; } Button { dock: bottom; }"

    def __init__(self, node: Node, title: str = "") -> None:
        super().__init__()
        self.node, self.card_title = node, title
        self.followed: list[str] = []

    def compose(self) -> ComposeResult:
        yield Card()
        yield Button("below")

    def on_mount(self) -> None:
        self.query_one(Card).show(self.node, self.card_title)
        self.query_one(Card).focus()

    def on_link_followed(self, message: LinkFollowed) -> None:
        self.followed.append(message.id)


@dataclass
class Reading:
    app: CardApp
    pilot: Pilot[None]

    @property
    def card(self) -> Card:
        return self.app.screen_stack[0].query_one(Card)

    @property
    def lit(self) -> str | None:
        stop = self.card.active_stop
        return stop.text if stop else None

    @property
    def lines(self) -> list[str]:
        return [self.card.render_line(y).text.rstrip() for y in range(self.card.size.height)]

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def click(self, text: str, nth_line: int = 0) -> None:
        """Click the first character of a link's span on the nth line that it is on."""
        found = -1
        for y in range(self.card.size.height):
            x = 0
            for run in self.card.render_line(y):
                if run.style and STOP in run.style.meta and run.text.strip() in text:
                    found += 1
                    if found == nth_line:
                        left = self.card.styles.padding.left
                        await self.pilot.click(self.card, offset=(x + left, y))
                        await self.pilot.pause()
                        return
                x += run.cell_length
        raise AssertionError(f"{text!r} is not in view")


@asynccontextmanager
async def reading(
    node: Node = LONG, size: tuple[int, int] = (24, 12), title: str = ""
) -> AsyncIterator[Reading]:
    app = CardApp(node, title)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Reading(app, pilot)


async def test_tab_walks_the_links_and_leaves_past_the_last() -> None:
    async with reading() as r:
        await r.press("tab")
        assert r.lit == "deploy pipeline runbook"
        await r.press("tab")
        assert r.lit == "last"
        await r.press("tab")
        assert r.lit == "more"
        assert r.app.focused is r.card
        await r.press("tab")
        assert r.lit is None
        assert isinstance(r.app.focused, Button)


async def test_shift_tab_walks_back_and_leaves_before_the_first() -> None:
    async with reading() as r:
        await r.press("tab", "tab", "shift+tab")
        assert r.lit == "deploy pipeline runbook"
        await r.press("shift+tab")
        assert r.lit is None
        assert r.app.focused is not r.card


async def test_walking_scrolls_to_the_lit_link() -> None:
    async with reading() as r:
        await r.press("tab", "tab")
        stop = r.card.active_stop
        assert stop is not None
        assert r.card.scroll_offset.y <= stop.first < r.card.scroll_offset.y + r.card.size.height


async def test_walking_begins_with_what_is_in_view() -> None:
    async with reading() as r:
        await r.press("G", "tab")
        assert r.lit == "last"


async def test_enter_follows_the_lit_link_and_decodes_its_id() -> None:
    async with reading() as r:
        await r.press("tab", "enter")
        assert r.app.followed == ["deploy runbook"]


async def test_enter_with_nothing_lit_is_left_to_others() -> None:
    async with reading() as r:
        await r.press("enter")
        assert r.app.followed == []


async def test_a_click_follows_a_link_on_either_of_its_lines() -> None:
    async with reading() as r:
        await r.click("deploy pipeline runbook", 0)
        await r.click("deploy pipeline runbook", 1)
        assert r.app.followed == ["deploy runbook"] * 2


async def test_a_click_on_text_follows_nothing() -> None:
    async with reading() as r:
        await r.pilot.click(r.card, offset=(2, 0))
        assert r.app.followed == []
        assert r.lit is None


async def test_a_fold_opens_and_closes_and_keeps_its_light() -> None:
    async with reading() as r:
        await r.press("G", "tab", "tab", "enter")
        assert [stop.text for stop in r.card.stops][-2:] == ["more", "inside"]
        assert r.lit == "more"
        await r.press("enter")
        assert [stop.text for stop in r.card.stops][-1] == "more"


async def test_a_letter_jumps_to_a_link_in_view() -> None:
    async with reading() as r:
        await r.press("f")
        assert r.lines[:2] == ["ask the aeploy", "pipeline runbook"]
        await r.press("a")
        assert r.app.followed == ["deploy runbook"]


async def test_any_other_key_ends_the_jump_and_does_nothing_else() -> None:
    async with reading() as r:
        before = r.lines
        await r.press("f")
        assert r.lines != before
        await r.press("j")
        assert r.lines == before
        assert r.app.followed == []


async def test_a_link_out_of_the_store_shows_its_whole_target_before_anything() -> None:
    target = "https://example.test/" + "a" * 60 + "\u202e"
    async with reading(Group((Link("tides", target),)), size=(60, 20)) as r:
        await r.press("tab", "enter")
        assert isinstance(r.app.screen, LeavingScreen)
        shown = str(r.app.screen.query_one("#leaving-url").render())
        assert shown == target.replace("\u202e", "‹U+202E›")
        await r.press("escape")
        assert r.app.screen is r.app.screen_stack[0]
        assert r.app.followed == []


async def test_scrolling_keys() -> None:
    async with reading() as r:
        await r.press("j", "j", "k")
        assert r.card.scroll_offset.y == 1
        await r.press("space")
        assert r.card.scroll_offset.y == 1 + r.card.size.height - 1
        await r.press("G")
        assert r.card.scroll_offset.y == r.card.max_scroll_y
        await r.press("g")
        assert r.card.scroll_offset.y == 0


async def test_another_width_paints_anew() -> None:
    async with reading() as r:
        narrow = r.card.virtual_size.height
        await r.pilot.resize_terminal(80, 12)
        await r.pilot.pause()
        assert r.card.virtual_size.height < narrow


async def test_another_theme_paints_anew() -> None:
    async with reading() as r:
        before = [run.style for run in r.card.render_line(0)]
        r.app.theme = "textual-light"
        await r.pilot.pause()
        assert [run.style for run in r.card.render_line(0)] != before


async def test_titles_are_never_markup() -> None:
    async with reading(title="[b]x[/b]\x1b[2J") as r:
        assert r.card._border_title is not None
        assert r.card._border_title.plain == "[b]x[/b]␛[2J"


async def test_showing_another_tree_begins_at_its_top() -> None:
    async with reading() as r:
        await r.press("G", "tab")
        r.card.show(Group((Text("other"),)))
        await r.pilot.pause()
        assert (r.lit, r.card.scroll_offset.y, r.lines[0].strip()) == (None, 0, "other")


async def test_a_newer_reading_keeps_the_place() -> None:
    async with reading() as r:
        await r.press("G")
        place = r.card.scroll_offset
        r.card.refresh_node(Group((*LONG.children, Group((Text("and more"),)))))
        await r.pilot.pause()
        assert r.card.scroll_offset == place
