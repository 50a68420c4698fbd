"""Import a folder: those in the usual places are found, any other can be typed; each is tried before."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container, Vertical
from textual.widgets import Input

from render.tree import Group, Node, Table, Text, TextStyle
from store.provider import Desk
from tui.actions import Where, bindings_of
from tui.bars import KeyBar, TopBar
from tui.detail import Card
from tui.item_list import Item, ItemHighlighted, ItemList
from tui.messages import JobFailed
from tui.onboarding import (
    ImportDone,
    ImportMoved,
    ImportTried,
    Place,
    PlacesFound,
    find_places,
    run_import,
    try_import,
)
from tui.screens.items import ItemScreen
from tui.screens.listing import ListScreen

if TYPE_CHECKING:
    from store.folders.report import Line, Report

_SHOWN_LINES = 200


class ImportScreen(ItemScreen):
    """Folders on the left, what importing one would do on the right; enter does it."""

    WHERE = Where.IMPORT
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.IMPORT)]
    PLACE = "Import"

    def __init__(self) -> None:
        super().__init__()
        self.places: tuple[Place, ...] = ()
        self.tried: dict[Path, Report] = {}
        self.done: dict[Path, Report] = {}
        self._state = ""

    def compose(self) -> ComposeResult:
        """Lay out the path to type, the bars and the two panes."""
        yield TopBar(self.PLACE, id="top")
        path = Input(id="path", placeholder="~/notes", compact=True, select_on_focus=False)
        path.border_title = "another folder or file"
        yield path
        with Container(id="panes"):
            with Vertical(id="list-pane"):
                yield ItemList(id="items")
            yield Card(id="card")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Look in the usual places."""
        self.rows.focus()
        self.rows.border_title = "Memories found"
        self.do_refresh()

    def desk_opened(self, desk: Desk) -> None:
        """Look in the usual places."""
        self.do_refresh()

    def do_refresh(self) -> None:
        """Look in the usual places again."""
        self.tried.clear()
        self.rows.notice = "Looking in the usual places …"
        self.ask(
            lambda desk: find_places(Path.home(), Path.cwd()),
            group="places",
            description="looking for memory folders",
        )
        self.refresh_bars()

    def on_places_found(self, message: PlacesFound) -> None:
        """List them, after those that were typed."""
        typed = tuple(place for place in self.places if not place.whose)
        self.places = (*typed, *(place for place in message.places if place not in typed))
        self.rows.notice = "No memories in the usual places.\n/ takes the path of a folder or file."
        self._list()

    def _list(self, cursor: int = 0) -> None:
        items = tuple(
            Item(place, _short(place.path), place.whose, "✓" if place.path in self.done else " ")
            for place in self.places
        )
        self.rows.show(items, cursor)
        self.refresh_bars()

    @property
    def place(self) -> Place | None:
        """The place under the cursor."""
        item = self.rows.item
        return item.thing if item is not None and isinstance(item.thing, Place) else None

    def on_item_highlighted(self, message: ItemHighlighted) -> None:
        """Show what importing the place would do; find out first if that is not known."""
        place = self.place
        if place is None:
            self.card.show(None)
            return
        report = self.done.get(place.path) or self.tried.get(place.path)
        if report is not None:
            self._show(place, report)
            return
        self.card.show(Group((Text("Reading …", TextStyle.DIM),)), _short(place.path))
        path = place.path
        self.ask(
            lambda desk: try_import(desk, path), group="try-import", description=f"reading {path}"
        )

    def on_import_tried(self, message: ImportTried) -> None:
        """Show it, if the cursor is still there."""
        self.tried[message.path] = message.report
        place = self.place
        if place is not None and place.path == message.path:
            self._show(place, message.report)

    def _show(self, place: Place, report: Report) -> None:
        done = place.path in self.done
        self.card.show(report_tree(place, report, done=done), _short(place.path))

    def do_import_now(self) -> None:
        """Import the place under the cursor."""
        place = self.place
        if place is None or self._state:
            return
        path = place.path
        self._state = "importing …"
        self.refresh_bars()
        self.ask(
            lambda desk: run_import(desk, path, self.post_message),
            group="import",
            description=f"importing {path}",
            exclusive=False,
        )

    def on_import_moved(self, message: ImportMoved) -> None:
        """Say how far it is."""
        self._state = f"importing {message.done} of {message.total} files"
        self.refresh_bars()

    def on_import_done(self, message: ImportDone) -> None:
        """Show what came of it."""
        self._state = ""
        self.done[message.path] = message.report
        self._list(self.rows.cursor)

    def on_job_failed(self, message: JobFailed) -> None:
        """Let another import be started; the app draws the failure."""
        if message.group == "import":
            self._state = ""
        elif message.group == "try-import":
            self.card.show(Group((Text(message.failure.text, TextStyle.ERROR),)))
        self.refresh_bars()

    def facts(self) -> tuple[str, ...]:
        """Return how far an import is, else how many places there are."""
        return (self._state or f"{len(self.places)} found",)

    def do_other_folder(self) -> None:
        """Type a path."""
        self.query_one("#path", Input).focus()

    def on_input_changed(self, event: Input.Changed) -> None:
        """Say while typing whether something is there."""
        event.stop()
        event.input.border_subtitle = "" if not event.value.strip() else _there(event.value)

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Take the path into the list, if something is there."""
        event.stop()
        path = _path(event.value)
        if not event.value.strip() or not path.exists():
            return
        place = Place(path, "")
        self.places = (place, *(other for other in self.places if other.path != path))
        event.input.value = ""
        self.rows.focus()
        self._list()

    def do_back(self) -> None:
        """Leave the path; else leave, and go on in the inbox if something was imported."""
        if isinstance(self.focused, Input):
            self.rows.focus()
        elif self.done:
            self.inbox.pop_screen()
            while not isinstance(self.inbox.screen, ListScreen):
                self.inbox.pop_screen()
            self.inbox.screen.do_refresh()
        else:
            super().do_back()


def _path(text: str) -> Path:
    return Path(os.path.expanduser(text.strip()))


def _there(text: str) -> str:
    path = _path(text)
    if path.is_dir():
        return "a folder: enter reads it"
    return "a file: enter reads it" if path.is_file() else "nothing is there"


def _short(path: Path) -> str:
    home = str(Path.home())
    return str(path).replace(home, "~", 1) if str(path).startswith(home + os.sep) else str(path)


def report_tree(place: Place, report: Report, *, done: bool) -> Node:
    """Return what an import did or would do, the files that need a look first."""
    told = (
        "imported as drafts" if done else "enter imports it as drafts; nothing is approved by that"
    )
    counts = " · ".join(f"{count} {outcome}" for outcome, count in report.counts.items() if count)
    head = [
        Text(place.whose or "Memories", TextStyle.BOLD),
        Text(f"\n{report.files} files: {counts or 'nothing to take'}"),
        Text(f"\n{told}", TextStyle.SUCCESS if done else TextStyle.DIM),
    ]
    notices = (Group((Text(f"! {notice}", TextStyle.WARNING),)) for notice in report.notices)
    rows = tuple(_rows(report.lines[:_SHOWN_LINES]))
    table = (Table(("file", "what", "record or reason"), rows),) if rows else ()
    more = len(report.lines) - _SHOWN_LINES
    rest = (Group((Text(f"and {more} more", TextStyle.DIM),)),) if more > 0 else ()
    return Group((Group(tuple(head)), *notices, *table, *rest))


def _rows(lines: list[Line]) -> Iterator[tuple[str, str, str]]:
    for line in lines:
        notes = "; ".join(note.what for note in line.notes)
        yield line.path, str(line.outcome), " · ".join(filter(None, (line.id, line.why, notes)))
