"""The line where a filter is typed; the list follows with every key."""

from __future__ import annotations

from typing import ClassVar

from textual.binding import BindingType
from textual.widgets import Input

from tui.actions import Where, bindings_of
from tui.filters import complete
from tui.messages import FilterClosed, FilterTyped
from tui.text_area import LineEditor


class FilterBar(LineEditor):
    """Posts `FilterTyped` with every change and `FilterClosed` when it is left."""

    WHERE: ClassVar[Where] = Where.FILTER
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Where.FILTER)]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(
            placeholder="words  type:feedback  scope:global  older:7d  has:warning",
            id=id,
            compact=True,
            select_on_focus=False,
        )

    def action_act(self, id: str) -> None:
        """Run an action of the table."""
        getattr(self, f"do_{id}")()

    def do_keep_filter(self) -> None:
        """Leave the bar with the filter on."""
        self.post_message(FilterClosed(kept=bool(self.value.strip())))

    def do_clear_filter(self) -> None:
        """Leave the bar and show everything."""
        self.post_message(FilterClosed(kept=False))

    def do_complete_filter(self) -> None:
        """Complete the part before the cursor as far as there is one way."""
        if (done := complete(self.value)) is not None:
            self.value = done
            self.cursor_position = len(done)

    def on_input_changed(self, event: Input.Changed) -> None:
        """Tell what is typed."""
        event.stop()
        self.post_message(FilterTyped(event.value))
