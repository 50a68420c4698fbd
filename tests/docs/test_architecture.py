"""docs/architecture.md names every module, and no module that is not there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "architecture.md"


def modules() -> set[str]:
    """All modules of the three rooms, as paths; a package stands for its ``__init__``."""
    return {
        path.relative_to(ROOT).as_posix()
        for room in ("render", "store", "tui")
        for path in (ROOT / room).rglob("*.py")
        if path.name != "__init__.py"
        and not {"gen", "versions"} & set(path.relative_to(ROOT).parts)
    }


def test_every_module_is_named_with_its_job() -> None:
    named = set(re.findall(r"^\| `([a-z_0-9/]+\.py)` \| \S", PAGE.read_text("utf-8"), re.M))
    assert modules() - named == set(), "missing from docs/architecture.md"
    assert named - modules() == set(), "in docs/architecture.md, but not in the code"


def test_no_module_outgrows_one_job() -> None:
    """400 lines is where a module has become two; the few exceptions would be named here."""
    long = {name for name in modules() if len((ROOT / name).read_text("utf-8").splitlines()) > 400}
    assert long == set()
