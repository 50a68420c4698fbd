"""The prompt that a person can pick in a client: have what was learnt remembered."""

from __future__ import annotations

from collections.abc import Mapping

from mcp_types import GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

REMEMBER = Prompt(
    name="remember",
    title="Remember what we learnt",
    description="Look back over this conversation and propose the few things worth keeping.",
    arguments=[
        PromptArgument(
            name="what",
            description="What to keep; when left out, the conversation decides.",
            required=False,
        )
    ],
)

_TEXT = """\
{what}

For each of them: search first whether it is remembered already, and update that memory under its id if so. \
Choose the type (who the user is: user; how to work: feedback; ongoing work and decisions: project; where \
things live: reference) and the narrowest scope that fits. Write it so that it is understood without this \
conversation. Propose few: what the code or its history says already is not worth keeping, and secrets never \
are. When you are done, name the ids: a person decides on each before it is recalled."""
_ALL = (
    "Look back over this conversation for what will still matter in later sessions, and remember it"
    " with the remember tool."
)
_SOME = "Use the remember tool to keep the following for later sessions:\n\n{what}"


def remember(arguments: Mapping[str, str]) -> GetPromptResult:
    """Return the prompt, filled in."""
    what = arguments.get("what", "").strip()
    text = _TEXT.replace("{what}", _SOME.replace("{what}", what) if what else _ALL, 1)
    message = PromptMessage(role="user", content=TextContent(text=text))
    return GetPromptResult(description=REMEMBER.description, messages=[message])
