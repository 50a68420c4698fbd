"""What an order to an agent sounds like: the phrases of the rule ``instructions``.

Phrases are regular expressions for folded text in which a blank stands for any run of blanks and line
ends. ``needs`` are words of which one must occur, so that most texts cost a few substring searches.
"""

from __future__ import annotations

from typing import NamedTuple

import regex

from render.lens.finding import Severity


class Order(NamedTuple):
    """Phrases of one intent.

    ``forbidden_is_fine`` says that the phrase after "never" or "do not" is good advice.
    """

    reason: str
    severity: Severity
    needs: tuple[str, ...]
    pattern: regex.Pattern[str]
    forbidden_is_fine: bool


def _order(
    reason: str, severity: Severity, needs: str, *phrases: str, forbidden_is_fine: bool = True
) -> Order:
    pattern = "|".join(f"(?:{phrase})" for phrase in phrases).replace(" ", r"\s+")
    return Order(reason, severity, tuple(needs.split()), regex.compile(pattern), forbidden_is_fine)


_USER = (
    "(?:(?:the|your) )?(?:users?|operators?|humans?|owner|reviewers?|developers?|admin(?:istrator)?s?"
    "|maintainers?|anyone|anybody)"
)
_RULES = (
    "(?:instructions?|prompts?|rules|guidelines?|directives?|messages|polic(?:y|ies)|guardrails?"
    r"|restrictions|constraints|training|safety \w+)"
)
_EARLIER = (
    "(?:previous|prior|above|earlier|preceding|existing|other|all|any|your|system|safety|developer)"
)
_DATA = (
    r"(?:(?:api|ssh|private|signing)[\s_-]*keys?|secrets?|credentials?|passwords?|cookies?|\.env\b"
    r"|(?:access|auth|session|bearer)[\s_-]*tokens?|env(?:ironment)? (?:variables?|vars?|file)"
    r"|~/\.(?:ssh|aws)"
    "|(?:conversation|chat|message) (?:history|log|contents?)|(?:entire|whole|full|this) conversation"
    "|system prompt|all memor(?:y|ies)|source code|file contents?|(?:customer|user) data)"
)
_OUTSIDE = (
    r"(?:https?://|webhook|ngrok|pastebin|requestbin|[\w.+-]+@[\w-]+\.\w+"
    "|(?:my|our|this|the following) (?:server|endpoint|url|address)"
    "|(?:an? |the )?(?:external|remote) (?:server|endpoint|host))"
)
_SEND = (
    "(?:send|post|upload|forward|exfiltrate|leak|e?mail|transmit|submit|report|copy|paste|append"
    "|include|put)"
)
_FETCH = "(?:fetch|open|visit|download|read|load|browse|retrieve|get|go to|curl|check)"
_THERE = r"(?:https?://\S+|(?:the|this|that|following) (?:url|page|link|site|gist|pastebin))"
_FOLLOW = "(?:follow|execute|obey|run|apply|perform|do (?:what|whatever|as))"
_WHAT_IS_THERE = "(?:instructions?|steps|commands?|it says|prompt|script|whatever|it)"
_NOT = "(?:do not|don't|dont|never|without|avoid)(?: ever)?"
_SHELL = "(?:ba|z|da|fi)?sh"

ORDERS = (
    _order(
        "tells the agent to drop its instructions",
        Severity.DANGER,
        "ignore disregard forget override bypass drop",
        r"\b(?:ignore|disregard|forget|override|bypass|drop)\b(?: \w+){0,3}? "
        rf"{_EARLIER} (?:\w+ ){{0,2}}?{_RULES}\b",
    ),
    _order(
        "tells the agent to be another",
        Severity.DANGER,
        "you mode pretend",
        r"\byou are (?:now|no longer) (?:in )?(?:an? )?(?:\w+ ){0,3}?"
        r"(?:mode|bound|restricted|dan|unrestricted|jailbroken|(?:assistant|ai) without)\b",
        r"\b(?:developer|god|jailbreak|dan) mode (?:is )?(?:now )?(?:enabled|activated|on)\b",
        r"\bpretend (?:that )?you have no (?:rules|limits|restrictions)",
        forbidden_is_fine=False,
    ),
    _order(
        "poses as a message of the system",
        Severity.DANGER,
        "<| [inst] [/inst] <<sys>> <</sys>> system developer",
        r"<\|(?:im_start|im_end|system|endoftext|assistant|start_header_id)\|>",
        r"\[/?inst\]",
        "<</?sys>>",
        r"(?m:^\W{0,6}(?:new )?(?:system|developer)(?: (?:prompt|message|instructions?|override))?\s*:\s*"
        r"(?:you (?:are|must|will|should)|ignore|always|never|from now)\b)",
        forbidden_is_fine=False,
    ),
    _order(
        "asks to keep something from the user",
        Severity.DANGER,
        "tell inform notify alert warn mention reveal disclos show report expos repeat know see notice be "
        "keep hide secret behind",
        rf"\b{_NOT} (?:tell|inform|notify|alert|warn)(?:ing)? "
        rf"{_USER}(?: (?:about|of) (?:this|it|these|that)\b| (?:this|anything)\b|\s*(?:[.,;!)]|$))",
        rf"\b{_NOT} (?:mention|reveal|disclos|show|report|expos|repeat)(?:e|ing)? "
        r"(?:this|it|these|any of this)(?: \w+){0,3}?"
        rf"(?: (?:to|in) (?:{_USER}|your|the|any)\b|\s*[.;!]|$)",
        rf"\b{_USER} (?:(?:must|should|may|need) not|(?:must|should|need)n't|never needs? to) (?:ever )?"
        r"(?:know|notice|find out|be told|see (?:this|it|that|any of)\b)",
        rf"\b(?:keep|hide) (?:this|it|these)(?: \w+){{0,2}}? (?:secret|hidden|between us|from {_USER})",
        rf"\bbehind {_USER}'?s? back",
        forbidden_is_fine=False,
    ),
    _order(
        "asks to send data out",
        Severity.DANGER,
        "send post upload forward exfiltrate leak mail transmit submit report copy paste append include put",
        rf"\b{_SEND}\b[^.\n]{{0,60}}?{_DATA}[^.\n]{{0,60}}? "
        rf"(?:to|at|via|through|into) (?:\S+ ){{0,4}}?{_OUTSIDE}",
    ),
    _order(
        "an address that carries data out",
        Severity.DANGER,
        "http",
        r"!\[[^\]\n]{0,80}\]\(https?://[^)\s]{0,200}(?:\{|\$|%7b|<|\[)[^)\n]{0,80}\)",
        rf"https?://\S{{0,200}}[?&]\w+=[{{$<\[]{{1,3}}\s*{_DATA}",
        forbidden_is_fine=False,
    ),
    _order(
        "asks to fetch instructions and follow them",
        Severity.DANGER,
        "follow execute obey run apply perform do",
        rf"\b{_FETCH}\b[^.\n]{{0,40}}?{_THERE}[^\n]{{0,30}}?\b(?:and|then)\b[^.\n]{{0,30}}?"
        rf"\b{_FOLLOW}\b[^.\n]{{0,30}}?\b{_WHAT_IS_THERE}\b",
    ),
    _order(
        "a command that runs what it downloads",
        Severity.WARNING,
        "curl wget fetch iwr irm iex invoke-webrequest base64 powershell",
        rf"\b(?:curl|wget|fetch|iwr|irm|invoke-webrequest)\b[^\n|]{{0,200}}\|\s*(?:sudo )?(?:-\w+ )?"
        rf"(?:{_SHELL}|iex|python\d?|perl|ruby|node)\b",
        rf"\b{_SHELL} (?:-c )?[\"']?(?:<\(|\$\()\s*(?:curl|wget)",
        r"\beval [\"']?[$`]\(?\s*(?:curl|wget)",
        r"\biex\b[^\n]{0,60}(?:irm|iwr|downloadstring|new-object)",
        rf"base64 (?:-d|--decode)[^\n|]{{0,40}}\|\s*(?:sudo )?{_SHELL}\b",
        r"powershell(?:\.exe)? [^\n]{0,40}?-e(?:nc|ncodedcommand)? [a-z0-9+/=]{16,}",
    ),
    _order(
        "a command that destroys",
        Severity.WARNING,
        "rm mkfs dd :()",
        r"\brm -(?:rf|fr|r -f) (?:--no-preserve-root )?(?:/|~|\$home)(?:/?\*|/)?(?=\s|$|[`;&|\"'])",
        r":\(\)\s*\{\s*:\|:&\s*\};:",
        r"\bmkfs\.\w+ /dev/",
        r"\bdd [^\n]{0,40}of=/dev/(?:sd|nvme|disk)",
    ),
    _order(
        "speaks for its own approval, or against checks",
        Severity.WARNING,
        "approve accept ratif verified authori trusted disable turn skip remove",
        r"\b(?:this|these) (?:memor(?:y|ies)|drafts?|records?|instructions?) "
        r"(?:is|are|has been|have been|was|were) (?:already )?(?:pre-?)?"
        "(?:approved|verified|authori[sz]ed|trusted|ratified)",
        r"\b(?:approve|ratify|accept) (?:this|all|every|these) (?:\w+ )?"
        r"(?:memor(?:y|ies)|drafts?|records?)\b",
        r"\breviewers?\s*[:,]\s*(?:please )?approve",
        r"\b(?:disable|turn off|skip|remove) (?:\w+ ){0,2}?(?:safety|permission|approval|confirmation) "
        "(?:checks?|prompts?|filters?|guards?|rules?|steps?)",
    ),
    _order(
        "tells the agent to drop its instructions, or to hide this",
        Severity.DANGER,
        "ignor sag dites dis digas игнорируй говори сообщай 忽略 无视 無視 不要 ユーザー 무시 تجاهل निर्देशों",
        "ignoriere? (?:bitte )?(?:alle )?(?:bisherigen|vorherigen|vorigen|obigen) "
        "(?:anweisungen|regeln|instruktionen)",
        "sage? dem (?:be)?nutzer nichts",
        "ignore[zr]? (?:toutes )?les (?:instructions|consignes) (?:précédentes|ci-dessus)",
        "ne (?:le )?(?:dis|dites) (?:rien |pas )à l'utilisateur",
        "ignora (?:todas )?las instrucciones (?:anteriores|previas)",
        "no (?:se )?lo digas al usuario",
        "ignore (?:todas )?as instruções anteriores",
        "ignora (?:tutte )?le istruzioni precedenti",
        "игнорируй(?:те)? (?:все )?(?:предыдущие|прошлые) (?:инструкции|указания)",
        "не (?:говори|сообщай)(?:те)? (?:об этом )?пользователю",
        "(?:忽略|无视|無視)(?:所有|之前|以上|先前|前面|全部|一切|的)+(?:指令|指示|提示|规则|規則)",
        "不要(?:告诉|告訴|通知)(?:用户|用戶|使用者)",
        "(?:以前|これまで|上記|前)の(?:すべての)?(?:指示|命令)を(?:すべて)?無視",
        "ユーザーに(?:は)?(?:言わない|伝えない|知らせない)",
        r"이전(?:의)?\s*(?:모든\s*)?(?:지시|명령|지침)(?:를|을|사항을)?\s*(?:모두\s*)?무시",
        "تجاهل (?:جميع |كل )?التعليمات السابقة",
        "पिछले (?:सभी )?निर्देशों को (?:अनदेखा|नज़रअंदाज)",
        forbidden_is_fine=False,
    ),
)
