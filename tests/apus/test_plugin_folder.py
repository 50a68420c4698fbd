"""The folder that the host loads says what this version does."""

from __future__ import annotations

import json
from importlib.metadata import version

from store.apus.place import plugin_folder
from store.apus.tools import declared

FOLDER = plugin_folder()


def read(name: str) -> object:
    return json.loads((FOLDER / name).read_text("utf-8"))


def test_the_tools_are_those_that_the_bridge_answers() -> None:
    # Mended by writing `declared()` there, as JSON.
    assert read("tools.json") == declared()


def test_the_manifest_names_every_tool() -> None:
    manifest = read("openclaw.plugin.json")
    assert isinstance(manifest, dict)
    assert manifest["contracts"]["tools"] == [tool["name"] for tool in declared()]


def test_manifest_and_package_bear_the_version_of_the_distribution() -> None:
    for name in ("openclaw.plugin.json", "package.json"):
        found = read(name)
        assert isinstance(found, dict)
        assert found["version"] == version("memory-inbox")
