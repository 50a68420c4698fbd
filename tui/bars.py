"""The line on top that says where one stands, and the line below that says what the keys do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, cast

from textual import events
from textual.content import Content
from textual.reactive import reactive
from textual.style import Style
from textual.widget import Widget

from render.visible import cell_width, visible
from tui.actions import spell_key
from tui.screens.base import DeskScreen


@dataclass(frozen=True, slots=True)
class Key:
    """One key of the footer as it is drawn."""

    action: str
    key: str
    label: str
    enabled: bool

    @property
    def width(self) -> int:
        """Cells of the key, its label and the gap after it."""
        return len(self.key) + 1 + len(self.label) + 2


def fit_keys(keys: Sequence[Key], width: int) -> tuple[Key, ...]:
    """Choose the keys that fit a width in cells: the last one always, then from the first on."""
    if not keys:
        return ()
    *others, last = keys
    room = width - last.width
    chosen: list[Key] = []
    for key in others:
        if key.width > room:
            break
        chosen.append(key)
        room -= key.width
    return (*chosen, last)


class TopBar(Widget):
    """Where one stands: the place on the left, numbers on the right, the most needed first.

    Args:
        place: the name of the screen.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"top-bar--place", "top-bar--aside", "top-bar--alert"}

    aside: reactive[str] = reactive("")
    """What the place is about: the store, a filter; dropped first when there is no room."""

    facts: reactive[tuple[str, ...]] = reactive(())
    """Numbers and states, the most needed first; the last ones are dropped when there is no room."""

    alert: reactive[str] = reactive("")
    """A state that must not be missed; drawn before the facts."""

    def __init__(self, place: str, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.place = place

    def render(self) -> Content:
        """Draw the line as wide as the widget."""
        width = self.content_size.width
        left, right = self.place, self._facts_within(width - len(self.place) - 2)
        room = width - len(left) - len(right) - 4
        aside = visible(self.aside)  # a path: anything may be in it
        if cell_width(aside) > room:
            aside = visible("")
        gap = width - len(left) - len(right) - (cell_width(aside) + 2 if aside else 0)
        alert_end = len(self.alert) if self.alert and right.startswith(self.alert) else 0
        return Content.assemble(
            (left, self.get_visual_style("top-bar--place")),
            (f"  {aside}" if aside else "", self.get_visual_style("top-bar--aside")),
            " " * max(gap, 1),
            (right[:alert_end], self.get_visual_style("top-bar--alert")),
            right[alert_end:],
        )

    def _facts_within(self, room: int) -> str:
        parts = [part for part in (self.alert, *self.facts) if part]
        while parts and len(" · ".join(parts)) > room:
            parts.pop()
        return " · ".join(parts)


class KeyBar(Widget):
    """What the next keys do here, read from the table of actions; a click does the same."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {"key-bar--key", "key-bar--label", "key-bar--off"}

    def drawn(self) -> tuple[Key, ...]:
        """Return the keys that are drawn now."""
        screen = cast(DeskScreen, self.screen)
        offered = [
            Key(
                action.id,
                spell_key(screen.inbox.key_of(action)),
                screen.footer_words(action),
                screen.unmet(action) is None,
            )
            for action in screen.footer_actions()
        ]
        return fit_keys(offered, self.content_size.width)

    def render(self) -> Content:
        """Draw the keys that fit."""
        key_style = self.get_visual_style("key-bar--key")
        label_style = self.get_visual_style("key-bar--label")
        off_style = self.get_visual_style("key-bar--off")
        parts: list[tuple[str, Style]] = []
        for key in self.drawn():
            meta = Style.from_meta({"act": key.action})
            parts.append((key.key, (key_style if key.enabled else off_style) + meta))
            parts.append((f" {key.label}", (label_style if key.enabled else off_style) + meta))
            parts.append(("  ", label_style))
        return Content.assemble(*parts)

    def on_click(self, event: events.Click) -> None:
        """Do what was clicked."""
        action = event.style.meta.get("act")
        if action is not None:
            event.stop()
            cast(DeskScreen, self.screen).action_act(action)
