"""The one table of what an operator can do: keys, words and conditions of every action.

The footer, the help screen, the command palette, the keymap file and `docs/keys.md` read this table, so a
key is written down once. A screen named in a row has a method ``do_<id>`` (see `tui.screens.base`).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the table is read where there is no app, too
    from textual.binding import Binding


class Where(StrEnum):
    """The screens that have actions, by the name a reader of the help sees."""

    INBOX = "inbox"
    PLAN = "plan"
    EDIT = "edit"
    BROWSE = "browse"
    LINKS = "links"
    FIX = "fix a link"
    NEW = "new record"
    KIND = "type and scope"
    RECALL = "recall"
    HISTORY = "history"
    QUEUE = "queue"
    HELP = "help"
    WELCOME = "welcome"
    IMPORT = "import"
    CONNECT = "connect"
    COMPARE = "compare"
    MERGE = "merge"
    QUIT = "quit"
    CARD = "card"  # not a screen: the pane, while it has the focus
    FILTER = "filter"  # not a screen: the bar, while one types


class Group(StrEnum):
    """The sections of the help screen, in its order."""

    DECIDE = "Decide"
    MOVE = "Move"
    READ = "Read"
    FIND = "Find"
    ACT = "Act"
    APP = "The app"


class Need(StrEnum):
    """What must hold for an action; the value is what the operator is told when it does not."""

    DESK = "the store is still opening"
    DRAFT = "this is no draft"
    NEAR = "nothing is much like this draft"
    MERGEABLE = "nothing is much like this draft; v selects several to merge"
    ROW = "no record under the cursor"
    CARD = "this draft is still being read"
    SETTLED = "the last edit is still being written"
    EDITOR = "set $VISUAL or $EDITOR first"
    UNCHANGED = "this draft has just changed, look at it once more"
    FREE = "somebody else has claimed this draft"
    EXPIRED = "no claim of somebody else has expired here"
    MARK = "nothing is marked here"
    MARKS = "nothing is marked yet"
    UNDO = "nothing to undo"
    REDO = "nothing to redo"
    READY = "nothing in the plan can be applied"
    APPLIED = "nothing was approved in this sitting"
    FILTER = "no filter is set"
    BEHIND = "no link was followed to here"
    AHEAD = "this is the last record of the way"
    DANGLING = "every link here leads to a record"
    CHOICE = "nothing is chosen yet that it could lead to"
    FIXED = "no link was fixed in this sitting"
    DRAFTS = "no drafts are counted here"
    RECORD = "a draft is rejected, not deleted"
    OTHER = "that is what it is already"
    CHANGED = "nothing was changed here yet"
    SECRETS = "nothing on this card is masked"
    SESSION = "no session is known that wrote this"
    TARGET = "this replaces no record and is much like none"
    TRASHED = "this is not in the trash"


@dataclass(frozen=True, slots=True)
class Action:
    """One thing to do.

    Args:
        id: names the binding (keymap files use it) and the method ``do_<id>`` of its screens.
        keys: Textual key names with blanks between, first the one that the footer shows.
        label: one or two words for the footer.
        group: the section of the help screen.
        where: the screens that offer it.
        needs: what must hold; asked of the screen before the action runs.
        uses: methods of the desk that not every provider has; without them the action is greyed.
        footer: its place in the footer, where small numbers survive a narrow terminal; 0 keeps it out.
        help: one sentence for the help screen, the palette and the docs.
    """

    id: str
    keys: str
    label: str
    group: Group
    where: frozenset[Where]
    needs: tuple[Need, ...] = ()
    footer: int = 0
    help: str = ""
    uses: tuple[str, ...] = ()

    @property
    def key_names(self) -> tuple[str, ...]:
        """The keys one by one."""
        return tuple(self.keys.split())


_INBOX = frozenset({Where.INBOX})
_PLAN = frozenset({Where.PLAN})
_LISTS = frozenset({Where.INBOX, Where.BROWSE})
_ITEMS = frozenset({Where.LINKS, Where.HISTORY, Where.RECALL, Where.QUEUE, Where.FIX})
_READERS = _LISTS | _ITEMS
_ROWS = _READERS | {Where.PLAN, Where.IMPORT}
_WELCOME = frozenset({Where.WELCOME})
_QUIT = frozenset({Where.QUIT})
_EDIT = frozenset({Where.EDIT})
_COMPARE = frozenset({Where.COMPARE})
_MERGE = frozenset({Where.MERGE})
_NEW = frozenset({Where.NEW})
_FIX = frozenset({Where.FIX})
_KIND = frozenset({Where.KIND})
_TYPING = _EDIT | _MERGE | _NEW
_CARD = frozenset({Where.CARD})
_FILTER = frozenset({Where.FILTER})
_ALL = frozenset(Where) - _CARD - _FILTER

# fmt: off
_SEEN = (Need.ROW, Need.DRAFT, Need.CARD, Need.FREE, Need.UNCHANGED)
_D, _M, _R, _F, _T, _P = Group.DECIDE, Group.MOVE, Group.READ, Group.FIND, Group.ACT, Group.APP

ACTIONS: tuple[Action, ...] = (
    Action("approve", "a", "approve", _D, _INBOX, _SEEN, 1,
           help="Mark the draft for approval and go to the next undecided one."),
    Action("reject", "r", "reject", _D, _INBOX, _SEEN, 2,
           help="Mark the draft for rejection and go to the next undecided one."),
    Action("skip", "s", "skip", _D, _INBOX, (Need.ROW, Need.DRAFT), 3,
           help="Leave the draft for later and go to the next undecided one."),
    Action("unmark", "x", "unmark", _D, _INBOX | _PLAN, (Need.ROW, Need.MARK),
           help="Take the mark of this draft away."),
    Action("take_over", "T", "take over", _D, _INBOX, (Need.ROW, Need.EXPIRED),
           help="Claim a draft that somebody else has left marked, once that claim has expired.",
           uses=("claim",)),
    Action("undo", "u", "undo", _D, _INBOX, (Need.SETTLED, Need.UNDO), 5,
           help="Take back the last mark, as often as you like until you apply."),
    Action("redo", "U ctrl+r", "redo", _D, _INBOX, (Need.SETTLED, Need.REDO),
           help="Do again what was last undone."),
    Action("range", "v", "range", _D, _INBOX, (Need.ROW,),
           help="Select from here to wherever the cursor goes; a decision then marks them all."),
    Action("select_all", "V", "select all", _D, _INBOX, (Need.ROW,),
           help="Select all that the filter shows; a decision then marks them all."),
    Action("plan", "p", "plan", _D, _INBOX | _QUIT, (Need.DESK, Need.SETTLED, Need.MARKS), 4,
           help="See exactly what the marks will do, before anything is done."),
    Action("apply", "A", "apply", _D, _PLAN, (Need.READY,), 1,
           help="Do what the plan says, one by one; what fails keeps its mark and says why."),
    Action("take_back", "Z", "take back", _D, _INBOX | _PLAN, (Need.APPLIED,),
           help="Make drafts again of what was last approved; what was rejected is gone for good.",
           uses=("unapprove",)),

    Action("edit", "e", "edit", _T, _LISTS, (Need.ROW, Need.CARD), 10,
           help="Edit title and text here; saving can approve as well."),
    Action("edit_outside", "E", "edit in $EDITOR", _T, _LISTS, (Need.ROW, Need.CARD, Need.EDITOR),
           help="Edit title and text in your own editor."),
    Action("compare", "c", "compare", _T, _INBOX, (Need.ROW, Need.CARD, Need.NEAR),
           help="See the draft beside what is much like it."),
    Action("merge", "m", "merge", _T, _INBOX | _COMPARE, (Need.SETTLED, Need.MERGEABLE), 11,
           help="Compose one text of several: the draft and what is like it, or all that is selected."),
    Action("fix_link", "F", "fix a link", _T, _LISTS | {Where.LINKS}, (Need.DESK, Need.DANGLING), 50,
           help="Choose what a link that leads nowhere, or to several, is to lead to."),
    Action("apply_fix", "A", "point it there", _T, _FIX, (Need.CHOICE,), 1,
           help="Change the link in every text that is shown, or begin the draft that it wants.",
           uses=("edit",)),
    Action("other_name", "slash", "another name", _T, _FIX, footer=2,
           help="Type a name; the records that read like it follow."),
    Action("undo_fix", "u", "undo the fix", _T, frozenset({Where.LINKS}), (Need.FIXED,), 51,
           help="Take the last fix of a link back, text by text."),
    Action("new", "ctrl+n", "new record", _T, _LISTS, (Need.DESK,),
           help="Write a record yourself; it goes through the plan like a draft."),
    Action("kind", "K", "type and scope", _T, _LISTS, (Need.ROW, Need.CARD),
           help="Give the record another type or scope; its id, links and provenance stay.",
           uses=("reclassify",)),
    Action("apply_kind", "A", "change it", _T, _KIND, (Need.OTHER,), 1,
           help="Change type and scope, as one step."),
    Action("delete", "D", "delete", _T, frozenset({Where.BROWSE}), (Need.ROW, Need.CARD, Need.RECORD),
           help="Move the record to the trash, where it stays for thirty days."),
    Action("change_back", "ctrl+z", "undo the change", _T, _LISTS | {Where.LINKS, Where.HISTORY},
           (Need.CHANGED,),
           help="Take back the last change of type or scope, or the last deletion."),
    Action("next_type", "ctrl+t", "type", _T, _NEW | _KIND, footer=3, help="The next type."),
    Action("next_scope", "ctrl+o", "scope", _T, _NEW | _KIND, footer=4, help="The next scope."),
    Action("save_new", "ctrl+s", "save", _T, _NEW, footer=1, help="Save it as a draft."),
    Action("save_new_and_approve", "ctrl+g", "save and approve", _T, _NEW, footer=2,
           help="Save it as a draft, and mark it for approval."),
    Action("next_near", "n", "next", _M, _COMPARE, footer=2, help="The next that is like it."),
    Action("previous_near", "N", "previous", _M, _COMPARE, help="The one before."),
    Action("differences", "d", "differences", _R, _COMPARE, footer=3,
           help="Show what differs line by line, or both texts again."),
    Action("save_merge", "ctrl+s ctrl+g", "merge", _T, _MERGE, footer=1,
           help="Write the text, mark it for approval and what was merged for rejection."),
    Action("save", "ctrl+s", "save", _T, _EDIT, footer=1,
           help="Save the title and the text."),
    Action("save_and_approve", "ctrl+g", "save and approve", _T, _EDIT, (Need.DRAFT,), 2,
           help="Save the title and the text, and mark the draft for approval."),

    Action("down", "j down", "down", _M, _ROWS | _WELCOME, help="Next row."),
    Action("up", "k up", "up", _M, _ROWS | _WELCOME, help="Row before."),
    Action("page_down", "ctrl+d pagedown", "page down", _M, _ROWS, help="A screen of rows on."),
    Action("page_up", "ctrl+u pageup", "page up", _M, _ROWS, help="A screen of rows back."),
    Action("first", "g home", "first", _M, _ROWS, help="First row."),
    Action("last", "G end", "last", _M, _ROWS, help="Last row."),
    Action("next_undecided", "n", "next", _M, _INBOX, (Need.ROW,),
           help="Next draft without a mark."),
    Action("previous_undecided", "N", "previous", _M, _INBOX, (Need.ROW,),
           help="Draft without a mark before this one."),

    Action("open", "enter", "open", _R, _LISTS, (Need.ROW,), 6,
           help="Give the card the whole screen; again or escape gives it back."),
    Action("show_draft", "enter", "show the draft", _R, _PLAN, (Need.ROW,), 2,
           help="Go back to the inbox, to this draft."),
    Action("card", "l right", "to the card", _R, _READERS, (Need.ROW,),
           help="Go into the card, to scroll it."),
    Action("links", "tab", "links", _R, _READERS, (Need.ROW,), 9,
           help="Go to the first link of the card; past its last one, back to the list."),
    Action("list", "h left shift+tab", "to the list", _R, _READERS, help="Go back to the list."),
    Action("secrets", "S", "show secrets", _R, _READERS, (Need.SECRETS,),
           help="Show the masked secrets of this card, or mask them; another card is masked again."),
    Action("link_back", "left_square_bracket alt+left", "back", _R, _READERS, (Need.BEHIND,),
           help="Back to the record that the link was followed from."),
    Action("link_forward", "right_square_bracket alt+right", "forward", _R, _READERS, (Need.AHEAD,),
           help="Forward again along the links that were followed."),
    Action("next_link", "tab", "next link", _R, _CARD, footer=2,
           help="Light the next link or fold; past the last one, leave the card."),
    Action("previous_link", "shift+tab", "previous link", _R, _CARD,
           help="Light the link or fold before; past the first one, leave the card."),
    Action("follow", "enter", "follow", _R, _CARD, footer=1,
           help="Follow the lit link, or turn the lit fold."),
    Action("jump", "f", "jump to a link", _R, _CARD, footer=3,
           help="Put a letter on each link in view; the next key follows that link."),
    Action("line_down", "j down", "line down", _R, _CARD, help="Scroll a line on."),
    Action("line_up", "k up", "line up", _R, _CARD, help="Scroll a line back."),
    Action("screen_down", "space ctrl+d pagedown", "page down", _R, _CARD, help="Scroll a screen on."),
    Action("screen_up", "ctrl+u pageup", "page up", _R, _CARD, help="Scroll a screen back."),
    Action("top", "g home", "top", _R, _CARD, help="Scroll to the first line."),
    Action("bottom", "G end", "bottom", _R, _CARD, help="Scroll to the last line."),

    Action("filter", "slash", "filter", _F, _LISTS, footer=7,
           help="Show only what has these words; type:, scope: and status: narrow further."),
    Action("keep_filter", "enter", "keep the filter", _F, _FILTER, footer=1,
           help="Go back to the list and keep it filtered."),
    Action("clear_filter", "escape", "clear it", _F, _FILTER, footer=2,
           help="Show everything again."),
    Action("complete_filter", "tab", "complete", _F, _FILTER, footer=3,
           help="Complete the key or the value that is being typed."),
    Action("same_session", "o", "same session", _F, _LISTS, (Need.ROW, Need.SESSION),
           help="Show only what the same session wrote; again shows everything."),
    Action("same_target", "t", "same target", _F, _LISTS, (Need.ROW, Need.TARGET),
           help="Show only what is about the same record: changes it, links to it, is named like it."),
    Action("browse", "b", "browse", _F, _INBOX, (Need.DESK,), 8,
           help="All records, canonical ones too."),
    Action("show_links", "L", "links", _F, _LISTS, (Need.DESK,),
           help="Broken, wanted and ambiguous links, orphans, and what is linked most."),
    Action("show_recall", "R", "recall", _F, _LISTS, (Need.DESK,),
           help="What an agent would be given, for a directory and a budget."),
    Action("show_history", "H", "history", _F, _LISTS, (Need.DESK,),
           help="What was decided, and the trash, to restore from.", uses=("history", "trash")),
    Action("show_queue", "Q", "queue", _F, _LISTS, (Need.DESK,),
           help="What waits by age, type, writer and warning, what is accepted, and how fast you are."),
    Action("show_import", "I", "import", _F, _LISTS, (Need.DESK,),
           help="Import a folder of memories as drafts."),
    Action("refresh", "f5", "refresh", _F, _READERS, help="Read the list from the store again."),

    Action("try_demo", "t", "try the demo", _T, _WELCOME, footer=1,
           help="Try it all on made-up drafts, in a store of their own."),
    Action("find_folders", "i", "import a folder", _T, _WELCOME, (Need.DESK,), 2,
           help="Import memories that agents have kept in files, as drafts."),
    Action("connect", "c", "connect agents", _T, _WELCOME, footer=3,
           help="Read how agents write their drafts here."),
    Action("start", "enter", "start", _T, _WELCOME, footer=4,
           help="Go to the door that is lit."),
    Action("import_now", "enter", "import", _T, frozenset({Where.IMPORT}), (Need.ROW,), 1,
           help="Import the folder as drafts; nothing is approved by it."),
    Action("other_folder", "slash", "another folder", _T, frozenset({Where.IMPORT}), footer=2,
           help="Type the path of a folder or a file."),
    Action("show_these", "enter", "show them", _T, frozenset({Where.QUEUE}), (Need.DRAFTS,), 1,
           help="Go back to the inbox, filtered to these drafts."),
    Action("ask", "slash", "change the question", _T, frozenset({Where.RECALL}), footer=1,
           help="Type another directory, files or budget; the answer follows."),
    Action("after_marks", "b", "before/after", _T, frozenset({Where.RECALL}), (Need.MARKS,), 2,
           help="Show what would be given once the marks are applied, or what is given now.",
           uses=("preview_decided",)),
    Action("with_drafts", "d", "all drafts", _T, frozenset({Where.RECALL}), footer=3,
           help="Show what would be given if every draft were approved, or not."),
    Action("restore", "R", "restore", _T, frozenset({Where.HISTORY}), (Need.TRASHED,), 1,
           help="Bring the record back from the trash."),

    Action("help", "question_mark f1", "help", _P, _ALL - _TYPING - _QUIT - _KIND, footer=99,
           help="What the keys do here."),
    Action("palette", "colon ctrl+p", "commands", _P, _ALL - _TYPING - _QUIT - _KIND,
           help="Find any command by its name."),
    Action("back", "escape", "back", _P, _ALL, footer=90,
           help="Leave what is open: the selection, the filter, the card, the screen."),
    Action("quit", "q", "quit", _P, _ALL - _TYPING - _QUIT - _KIND, footer=95,
           help="Leave; asks first when marks are not applied."),
    Action("leave", "y", "leave", _P, _QUIT, footer=1,
           help="Leave with marks unapplied: they are here again next time."),
)
"""Every action, in the order of the help screen within its group."""
# fmt: on

BY_ID: dict[str, Action] = {action.id: action for action in ACTIONS}


_WRITING = frozenset(
    {
        *("approve", "reject", "take_over", "apply", "take_back", "restore", "import_now"),
        *("edit", "edit_outside", "merge", "save", "save_and_approve", "save_merge"),
        *("new", "save_new", "save_new_and_approve", "kind", "apply_kind", "change_back"),
        *("fix_link", "apply_fix", "other_name", "undo_fix", "delete"),
    }
)
# Commands of a sitting line by line that are no action's.
_WRITING_WORDS = frozenset({"unfix", "change", "delete", "import", "takeover"})


def writes(id: str) -> tuple[str, ...]:
    """Return what an action or a word uses of a desk if it leads to a write: a read-only desk misses it."""
    return ("approve_record",) if id in _WRITING or id in _WRITING_WORDS else ()


def actions_of(where: Where) -> tuple[Action, ...]:
    """Return a screen's actions in the table's order."""
    return tuple(action for action in ACTIONS if where in action.where)


def bindings_of(where: Where) -> list[Binding]:
    """Return Textual bindings for a screen: all lead to its ``action_act``, each with its action's id."""
    from textual.binding import Binding

    return [
        Binding(
            ",".join(action.key_names),
            f"act('{action.id}')",
            action.label,
            id=action.id,
            tooltip=action.help,
            show=bool(action.footer),
        )
        for action in actions_of(where)
        if action.keys
    ]


def footer_of(where: Where) -> tuple[Action, ...]:
    """Return what the footer of a screen may show, most needed first."""
    shown = (action for action in actions_of(where) if action.footer)
    return tuple(sorted(shown, key=lambda action: action.footer))


_SPOKEN = {
    "question_mark": "?",
    "slash": "/",
    "colon": ":",
    "escape": "esc",
    "pagedown": "pgdn",
    "pageup": "pgup",
    "space": "space",
    "asterisk": "*",
    "up": "↑",
    "down": "↓",
    "left": "←",
    "right": "→",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
}


def spell_key(key: str) -> str:
    """Return a Textual key name as people write it: ``question_mark`` is ``?``, ``ctrl+r`` is ``^r``."""
    *modifiers, last = key.split("+")
    last = _SPOKEN.get(last, last)
    return "".join("^" if name == "ctrl" else f"{name}+" for name in modifiers) + last


def spell_keys(keys: Iterable[str]) -> str:
    """Return several keys as people write them, with blanks between."""
    return " ".join(spell_key(key) for key in keys)
