"""The first screen over an empty store: three doors, one key each."""

from __future__ import annotations

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from render.visible import visible
from tui.actions import BY_ID, Where, bindings_of, spell_key
from tui.bars import KeyBar, TopBar
from tui.demo import drafts
from tui.screens.base import DeskScreen

_TOUR = (
    "Agents write drafts; what you approve is recalled, what you reject is gone.",
    "a approves, r rejects, s leaves for later: these are marks, and u takes any of them back.",
    "p shows what your marks will do. Nothing happens before you say so there.",
)


class Door(Widget, can_focus=True):
    """One way to begin: a key, a title and a line about it; a click goes through.

    Args:
        action: what it does, by its id in the table.
        about: one line; any text.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"door--key", "door--title", "door--about"}

    def __init__(self, action: str, title: str, about: str) -> None:
        super().__init__(id=action.replace("_", "-"), classes="door")
        self.action = action
        self.title = title
        self.about = about

    def tell(self, about: str) -> None:
        """Say something else about it."""
        self.about = about
        self.refresh()

    def render(self) -> Content:
        """Draw the key, the title and the line about it."""
        key = spell_key(BY_ID[self.action].key_names[0])
        return Content.assemble(
            (f" {key}  ", self.get_visual_style("door--key")),
            (visible(self.title), self.get_visual_style("door--title")),
            "\n",
            (f"    {visible(self.about)}", self.get_visual_style("door--about")),
        )


class WelcomeScreen(DeskScreen):
    """What to do with an empty store."""

    WHERE = Where.WELCOME
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.WELCOME)]

    def compose(self) -> ComposeResult:
        """Lay out the doors."""
        count = len(drafts(self.now))
        yield TopBar("Memory Inbox", id="top")
        with Vertical(id="welcome"):
            yield Static(Content("This store is empty"), id="welcome-title")
            yield Static(Content("\n".join(_TOUR)), id="welcome-tour")
            yield Door("try_demo", "Try it", f"{count} made-up drafts, in a store of their own")
            yield Door(
                "find_folders",
                "Import a folder",
                "memories that agents have kept in files, as drafts",
            )
            yield Door("connect", "Connect agents", "how a host or a script writes its drafts here")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Light the first door."""
        self.query_one(TopBar).aside = self.inbox.store_name
        self.doors[0].focus()

    @property
    def doors(self) -> list[Door]:
        """The doors, from the top."""
        return list(self.query(Door))

    def on_click(self, event: events.Click) -> None:
        """Go through the door that was clicked."""
        if isinstance(event.widget, Door):
            event.stop()
            self.action_act(event.widget.action)

    def do_down(self) -> None:
        """Light the next door."""
        self._light(1)

    def do_up(self) -> None:
        """Light the door before."""
        self._light(-1)

    def _light(self, step: int) -> None:
        doors = self.doors
        lit = self.focused
        at = doors.index(lit) + step if isinstance(lit, Door) else 0
        doors[at % len(doors)].focus()

    def do_start(self) -> None:
        """Go through the lit door."""
        if isinstance(self.focused, Door):
            self.action_act(self.focused.action)

    def do_try_demo(self) -> None:
        """Open the demo store."""
        self.inbox.try_demo()

    def do_find_folders(self) -> None:
        """Choose a folder to import."""
        self.do_show_import()

    def do_connect(self) -> None:
        """Read how agents connect."""
        from tui.screens.connect import ConnectScreen

        self.inbox.push_screen(ConnectScreen())
