"""The `memory-inbox` command: global options, the commands, and one place that ends a failed run.

Nothing here or in a command's module imports the database, gRPC or Textual at its top: `--help` and shell
completion answer without them, and each command imports what it needs when it runs.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Sequence
from importlib.metadata import version as installed_version
from time import perf_counter
from typing import Annotated

import typer
from typer.exceptions import Abort, TyperException

from store.errors import MemoryError
from tui.cli import (
    auditing,
    bridging,
    checking,
    configuring,
    copying,
    deciding,
    exporting,
    importing,
    linking,
    mcp,
    reading,
    recalling,
    serving,
    writing,
)
from tui.cli.globals import (
    Linear,
    LogFile,
    LogLevel,
    Provider,
    ReadOnlyFlag,
    Reviewer,
    StorePlace,
)
from tui.cli.output import report
from tui.cli.sections import SectionedCommands
from tui.cli.session import Session
from tui.opening import FAILURE, PROGRAM, open_inbox, open_linear, tolerate_terminal

_log = logging.getLogger(__name__)
# What is logged is for a log file: without one Python would write warnings to stderr, a second time.
logging.getLogger("tui").addHandler(logging.NullHandler())

INTERRUPTED = 130

REVIEW, FIND, WRITE, FOLDERS = "Review", "Find", "Write", "Folders"
CHECK, AGENTS = "Check", "Serve agents"

app = typer.Typer(
    name=PROGRAM,
    cls=SectionedCommands,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
    epilog=r"Exit codes: 0 done, 1 it failed, 2 it could not be understood. "
    r"Without a command, the review inbox opens.",
)
app.command("list", rich_help_panel=REVIEW)(reading.list_records)
app.command("show", rich_help_panel=REVIEW)(reading.show)
app.command("approve", rich_help_panel=REVIEW)(deciding.approve)
app.command("reject", rich_help_panel=REVIEW)(deciding.reject)
app.command("count", rich_help_panel=REVIEW)(reading.count)
app.command("search", rich_help_panel=FIND)(reading.search)

links = typer.Typer(invoke_without_command=True, rich_markup_mode=None)
links.callback()(linking.links)
links.command("fix")(checking.fix)
links.command("rename")(checking.rename)
app.add_typer(links, name="links", rich_help_panel=FIND)

app.command("backlinks", rich_help_panel=FIND)(linking.backlinks)
app.command("recall", rich_help_panel=FIND)(recalling.recall)
app.command("record", rich_help_panel=WRITE)(writing.record)
app.command("delete", rich_help_panel=WRITE)(writing.delete)
app.command("restore", rich_help_panel=WRITE)(writing.restore)
app.command("purge", rich_help_panel=WRITE)(writing.purge)
app.command("import", rich_help_panel=FOLDERS)(importing.import_)
app.command("discover", rich_help_panel=FOLDERS)(importing.discover)
app.command("export", rich_help_panel=FOLDERS)(exporting.export)
app.command("sync", rich_help_panel=FOLDERS)(exporting.sync)
app.command("watch", rich_help_panel=FOLDERS)(exporting.watch)
config = typer.Typer(rich_markup_mode=None, help="Show, edit and check the settings of the inbox.")
config.command("show")(configuring.show)
config.command("edit")(configuring.edit)
config.command("check")(configuring.check)
app.add_typer(config, name="config", rich_help_panel=CHECK)
store = typer.Typer(rich_markup_mode=None, help="Look after a store as a whole.")
store.command("copy")(copying.copy)
app.add_typer(store, name="store", rich_help_panel=CHECK)
app.command("history", rich_help_panel=CHECK)(auditing.history)
app.command("doctor", rich_help_panel=CHECK)(auditing.doctor)
app.command("serve", rich_help_panel=AGENTS)(serving.serve)
app.command("mcp", rich_help_panel=AGENTS)(mcp.mcp)
app.command("bridge", rich_help_panel=AGENTS)(bridging.bridge)
apus = typer.Typer(rich_markup_mode=None, help="The plugin for the Apus host.")
apus.command("path")(bridging.path)
app.add_typer(apus, name="apus", rich_help_panel=AGENTS)


_FOR_AGENTS = frozenset({"serve", "mcp", "bridge"})


def _show_version(wanted: bool) -> None:
    if wanted:
        from store.migrations import revisions

        typer.echo(f"{PROGRAM} {installed_version(PROGRAM)} (store {revisions()[-1]})")
        raise typer.Exit


@app.callback(invoke_without_command=True)
def start(
    context: typer.Context,
    store: StorePlace = None,
    provider: Provider = None,
    reviewer: Reviewer = "",
    linear: Linear = False,
    read_only: ReadOnlyFlag = False,
    log_file: LogFile = None,
    log_level: LogLevel = "info",
    _version: Annotated[
        bool,
        typer.Option(
            "--version",
            callback=_show_version,
            is_eager=True,
            help="Say which version this is, and which form of store it keeps.",
        ),
    ] = False,
) -> None:
    """Ratify what agents remember: review their drafts, and look after what they recall."""
    if provider is not None and _was_typed(context, "store"):
        raise typer.BadParameter("--store and --provider are two places; give one", context)
    if read_only and provider is not None:
        raise typer.BadParameter(
            "--read-only is for a store of our own, not for --provider", context
        )
    if read_only and context.invoked_subcommand in _FOR_AGENTS:
        raise typer.BadParameter("--read-only is for people: agents write drafts", context)
    context.obj = Session(store, provider, reviewer.strip(), read_only)
    _log_to(log_file, log_level, context)
    _log.info(
        "started",
        extra={
            "fields": {
                "command": context.invoked_subcommand or ("linear" if linear else "inbox"),
                "version": installed_version(PROGRAM),
            }
        },
    )
    if context.invoked_subcommand is None:
        raise typer.Exit((open_linear if linear else open_inbox)(context.obj))
    if linear:
        raise typer.BadParameter("--linear is for the inbox; commands are linear anyway", context)


def _log_to(path: str | None, level: str, context: typer.Context) -> None:
    if not path:
        return
    from store.logfile import Level, log_to

    try:
        wanted = Level(level.casefold())
    except ValueError:
        raise typer.BadParameter(f"--log-level is one of {', '.join(Level)}", context) from None
    log_to(path, wanted)


def _was_typed(context: typer.Context, option: str) -> bool:
    """Tell whether an option stands on the command line; one in the environment gives way."""
    source = context.get_parameter_source(option)
    return source is not None and source.name == "COMMANDLINE"


def run(arguments: Sequence[str]) -> int:
    """Run one command line; returns the exit code and leaves every error on stderr."""
    tolerate_terminal()
    began = perf_counter()
    code: object = FAILURE
    try:
        code = _run(arguments)
    finally:
        ended = code if isinstance(code, int) else 0
        fields = {"code": ended, "seconds": perf_counter() - began}
        _log.info("ended", extra={"fields": fields})
    return ended


def _run(arguments: Sequence[str]) -> object:
    try:
        code = typer.main.get_command(app).main(
            list(arguments), prog_name=PROGRAM, standalone_mode=False
        )
        sys.stdout.flush()
    except MemoryError as error:
        _log.error("failed", exc_info=error)
        report(error.title, str(error), error.hint)
        return FAILURE
    except TyperException as error:
        return _explain_usage(error)
    except (Abort, KeyboardInterrupt):
        return INTERRUPTED
    except BrokenPipeError:
        _forget_stdout()
        return FAILURE
    except OSError as error:
        _log.error("failed", exc_info=error)
        report(
            "That failed", f"{error.strerror}: {error.filename}" if error.filename else str(error)
        )
        return FAILURE
    except Exception as error:  # a fault of ours: its traceback is on stderr, its place in the log
        _log.critical("crashed", exc_info=error)
        raise
    return code


def _explain_usage(error: TyperException) -> int:
    context = getattr(error, "ctx", None)
    command = context.command_path if context is not None else PROGRAM
    report("Usage", error.format_message(), f"{command} --help tells more")
    return error.exit_code


def _forget_stdout() -> None:
    """Point stdout at nothing: the interpreter flushes it once more and would complain."""
    import os

    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
