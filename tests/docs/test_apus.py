"""docs/apus.md says of each key of the plugin's configuration what leaving it out means."""

from __future__ import annotations

import json
import re
from pathlib import Path

from store.apus.place import plugin_folder

PAGE = Path(__file__).parents[2] / "docs" / "apus.md"


def test_every_key_of_the_plugins_configuration_is_on_its_page() -> None:
    manifest = json.loads((plugin_folder() / "openclaw.plugin.json").read_text("utf-8"))
    named = re.findall(r"^\| `(\w+)` \| \S", PAGE.read_text("utf-8"), re.M)
    assert named == list(manifest["configSchema"]["properties"])


def test_the_configuration_that_is_shown_has_only_known_keys() -> None:
    (shown,) = re.findall(r"^```json\n(.*?)^```$", PAGE.read_text("utf-8"), re.M | re.S)
    config = json.loads(shown)["plugins"]["entries"]["memory-inbox"]["config"]
    manifest = json.loads((plugin_folder() / "openclaw.plugin.json").read_text("utf-8"))
    assert set(config) <= set(manifest["configSchema"]["properties"])
