"""The card: one record, painted from its tree, with links that keys and mouse can walk and follow."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from string import ascii_lowercase
from typing import ClassVar
from urllib.parse import unquote

import regex
from rich.style import Style
from textual import events
from textual.actions import SkipAction
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from render.links import MEMORY, is_record
from render.tree import Node, Text, TextStyle
from render.visible import visible
from tui.actions import Where, bindings_of
from tui.painter import Painted, Stop, StopKind, paint
from tui.painting.lighting import STOP, finder, found_lit, lettered, stop_lit
from tui.painting.palette import Palette, Part, component_class
from tui.screens.leaving import LeavingScreen

LONG = 40_000  # characters of a text that takes longer to paint than a key may wait
_DRAWING = Text("Drawing …", TextStyle.DIM)
_JUMP_LETTERS = ascii_lowercase.replace("q", "")  # q leaves the app: not where one types in haste


def _id_of(url: str) -> str:
    return unquote(url.removeprefix(MEMORY), errors="surrogateescape")


@dataclass
class LinkFollowed(Message):
    """A link to a record was followed."""

    id: str


class Card(ScrollView, can_focus=True, inherit_bindings=False):
    """Shows one tree. Tab walks its stops (links and folds), enter and a click enter them."""

    DEFAULT_CSS = """
    Card {
        padding: 0 0 0 1;
        overflow-x: hidden;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
        scrollbar-color: $foreground 25%;
        scrollbar-background: $background;
        border-title-color: $text-muted;
        border-subtitle-color: $text-muted;
        .card--bold { text-style: bold; }
        .card--italic { text-style: italic; }
        .card--code { color: $text-accent; background: $foreground 3%; }
        .card--dim { color: $text-muted; }
        .card--mark { color: $text-error; background: $error-muted; text-style: bold; }
        .card--error { color: $text-error; }
        .card--warning { color: $text-warning; }
        .card--success { color: $text-success; }
        .card--link { color: $text-primary; text-style: underline; }
        .card--link-active {
            color: $background;
            background: $primary;
            text-style: bold underline;
        }
        .card--jump { color: $background; background: $warning; text-style: bold; }
        .card--found { background: $warning 30%; text-style: bold; }
        .card--line { color: $foreground 25%; }
        .card--bullet { color: $text-muted; }
        .card--fold { color: $text-secondary; }
        .card--action { color: $text-muted; }
        .card--term { color: $text-accent; text-style: bold; }
        .card--table-header { text-style: bold; }
        .card--block { background: $foreground 5%; }
        .card--block-label { color: $text-muted; background: $foreground 5%; }
        .card--hunk { color: $text-muted; }
        .card--same { color: $foreground 75%; }
        .card--add { background: $success 14%; }
        .card--add-word { background: $success 30%; text-style: bold; }
        .card--remove { background: $error 14%; }
        .card--remove-word { background: $error 30%; text-style: bold; }
    }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {component_class(part) for part in Part}
    WHERE: ClassVar[Where] = Where.CARD
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.CARD)]
    ALLOW_SELECT = False  # a drag would select across links; terminals select with shift

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._node: Node | None = None
        self._painted = Painted((), (), 0)
        self._toggled: set[str] = set()
        self._active: int | None = None
        self._jumps: dict[str, int] = {}
        self._found: regex.Pattern[str] | None = None
        self._stale = False
        self._colours: Palette = {}
        self._beside = False
        self._order: object | None = None  # of a painting that is under way beside the app

    def show(
        self, node: Node | None, title: str = "", subtitle: str = "", *, length: int = 0
    ) -> None:
        """Show a tree from its top; None shows nothing.

        Args:
            title, subtitle: for the border; any text, never markup.
            length: characters of its text, about; a long one is painted beside the app.
        """
        self._node = node
        self._beside = length > LONG
        self._toggled.clear()
        self._active = None
        self._jumps = {}
        self.border_title = Content(visible(title)) if title else None
        self.border_subtitle = Content(visible(subtitle)) if subtitle else None
        self.scroll_to(y=0, animate=False)
        self._repaint()

    def say(self, text: str) -> None:
        """Say something short of the record in the border below; the text is never read as markup."""
        self.border_subtitle = Content(visible(text)) if text else None

    def refresh_node(self, node: Node) -> None:
        """Show a newer reading of the same record: folds, scroll position and stop stay."""
        self._node = node
        self._repaint()

    def find(self, words: Sequence[str]) -> None:
        """Light all that reads like one of these words, as long as they are not others."""
        self._found = finder(words)
        self.refresh()

    @property
    def painting(self) -> bool:
        """Whether what it is to show is still being painted."""
        return self._order is not None

    @property
    def stops(self) -> tuple[Stop, ...]:
        """The links and folds that are shown, in reading order."""
        return self._painted.stops

    @property
    def active_stop(self) -> Stop | None:
        """The stop that enter would enter."""
        return None if self._active is None else self._painted.stops[self._active]

    def _repaint(self) -> None:
        """Paint anew: for another tree, width or fold."""
        self._order = None
        if self._beside and self._node is not None and self._view.width:
            self._paint_beside(self._node)
            return
        self._paint()
        self._take()

    def _paint_beside(self, node: Node) -> None:
        self._stale = False
        self._order = order = object()
        self._painted = paint(_DRAWING, self._view.width - 1, self._palette(), ())
        self._take()
        arguments = (node, self._view.width - 1, dict(self._palette()), frozenset(self._toggled))

        def work() -> None:
            painted = paint(*arguments)
            self.app.call_from_thread(self._take_if_wanted, order, painted)

        self.run_worker(work, thread=True, group="painting", exclusive=True)

    def _take_if_wanted(self, order: object, painted: Painted) -> None:
        if order is self._order:
            self._order = None
            self._painted = painted
            self._take()

    def _take(self) -> None:
        """Show what was painted."""
        if self._active is not None and self._active >= len(self._painted.stops):
            self._active = None
        self.virtual_size = Size(self._view.width, len(self._painted.lines))
        self.refresh()

    def _paint(self) -> None:
        self._stale = False
        width = self._view.width
        if self._node is None or not width:
            self._painted = Painted((), (), 0)
        else:
            # One column stays free, so that no text touches the scrollbar.
            self._painted = paint(self._node, width - 1, self._palette(), self._toggled)

    @property
    def _view(self) -> Size:
        """What is free of borders and scrollbars."""
        return self.scrollable_content_region.size

    def _palette(self) -> Palette:
        # Kept, for asking for the styles of all parts takes a third of the time that a card does.
        if not self._colours:
            self._colours = {
                part: self.get_component_rich_style(component_class(part)) for part in Part
            }
        return self._colours

    def _part(self, part: Part) -> Style:
        return self._palette()[part]

    def notify_style_update(self) -> None:
        """Paint anew when a theme or a state of the widget changes the colours."""
        super().notify_style_update()
        # The styles of the parts only follow: they are read when the lines are next asked for.
        self._stale = True
        self._colours = {}

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return lines of the viewport, in the colours of now."""
        if self._stale and self._beside:
            self.call_later(self._repaint)
        elif self._stale:
            self._paint()
        return super().render_lines(crop)

    def on_resize(self) -> None:
        """Fit the lines to the new width."""
        self._repaint()

    def render_line(self, y: int) -> Strip:
        """Return one line of the viewport."""
        number = y + self.scroll_offset.y
        width = self._view.width
        ground = self._part(Part.TEXT)
        if number >= len(self._painted.lines):
            return Strip.blank(width, ground)
        strip = self._painted.lines[number]
        stop = self.active_stop
        if self._found is not None:
            strip = found_lit(strip, self._found, self._part(Part.FOUND))
        if stop is not None and stop.first <= number <= stop.last:
            strip = stop_lit(strip, self._active or 0, self._part(Part.LINK_ACTIVE))
        if self._jumps:
            stops = self._painted.stops
            here = {n: letter for letter, n in self._jumps.items() if stops[n].first == number}
            strip = lettered(strip, here, self._part(Part.JUMP))
        return strip.crop_extend(0, width, ground)

    def action_act(self, id: str) -> None:
        """Run an action of the table."""
        getattr(self, f"do_{id}")()

    def do_line_down(self) -> None:
        """Scroll a line on."""
        self._scroll_by(1)

    def do_line_up(self) -> None:
        """Scroll a line back."""
        self._scroll_by(-1)

    def do_screen_down(self) -> None:
        """Scroll a screen on, keeping a line to find the place by."""
        self._scroll_by(self._view.height - 1)

    def do_screen_up(self) -> None:
        """Scroll a screen back, keeping a line."""
        self._scroll_by(1 - self._view.height)

    def do_top(self) -> None:
        """Scroll to the first line."""
        self.scroll_to(y=0, animate=False)

    def do_bottom(self) -> None:
        """Scroll to the last line."""
        self.scroll_to(y=self.max_scroll_y, animate=False)

    def _scroll_by(self, lines: int) -> None:
        self.scroll_to(y=self.scroll_offset.y + lines, animate=False)

    def do_next_link(self) -> None:
        """Light the next link; past the last one, leave the card."""
        self._walk(1)

    def do_previous_link(self) -> None:
        """Light the link before; past the first one, leave the card."""
        self._walk(-1)

    def _walk(self, step: int) -> None:
        count = len(self._painted.stops)
        index = self._entry(step) if self._active is None else self._active + step
        if index is None or not 0 <= index < count:
            self._light(None)
            raise SkipAction
        self._light(index)

    def _entry(self, step: int) -> int | None:
        """Return the first stop in view to walk to, else the first in the direction of the walk."""
        top = self.scroll_offset.y
        bottom = top + self._view.height
        order = range(len(self._painted.stops))[::step]
        in_view = (n for n in order if top <= self._painted.stops[n].first < bottom)
        return next(in_view, next(iter(order), None))

    def _light(self, index: int | None) -> None:
        self._active = index
        if index is not None:
            stop = self._painted.stops[index]
            top, height = self.scroll_offset.y, self._view.height
            if stop.first < top or stop.last >= top + height:
                self.scroll_to(y=max(0, stop.first - height // 3), animate=False)
        self.refresh()

    def do_follow(self) -> None:
        """Enter the lit link or fold."""
        if self._active is None:
            raise SkipAction
        self._enter(self._active)

    def _enter(self, index: int) -> None:
        stop = self._painted.stops[index]
        self._active = index
        if stop.kind is StopKind.FOLD:
            self._toggled ^= {stop.target}
            self._repaint()
        elif is_record(stop.target):
            self.post_message(LinkFollowed(_id_of(stop.target)))
        else:
            self.app.push_screen(LeavingScreen(stop.target))
        self.refresh()

    def do_jump(self) -> None:
        """Put a letter on each link in view; the next key follows one."""
        top, bottom = self.scroll_offset.y, self.scroll_offset.y + self._view.height
        in_view = [n for n, s in enumerate(self._painted.stops) if top <= s.first < bottom]
        self._jumps = dict(zip(_JUMP_LETTERS, in_view, strict=False))
        self.refresh()

    def on_key(self, event: events.Key) -> None:
        """Take the key after a jump: a letter follows its link, any other key ends the jump."""
        if not self._jumps:
            return
        event.stop()
        event.prevent_default()
        index = self._jumps.get(event.character or "")
        self._jumps = {}
        self.refresh()
        if index is not None:
            self._enter(index)

    def on_click(self, event: events.Click) -> None:
        """Enter the link or fold that was clicked."""
        index = event.style.meta.get(STOP)
        if index is not None:
            event.stop()
            self._jumps = {}
            self._enter(index)

    def on_blur(self) -> None:
        """Put the light out: enter acts elsewhere now."""
        self._jumps = {}
        self._light(None)
