"""Mask secrets in a text: the one mechanism for what is shared (`anonymize`) and for what is sent (every prompt).

A line's end and a text's number of lines stay, so that places still hold.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator

import re2

from schedmate.knowledge.secrets import Sureness, anything, is_nothing, places, sureness_of, tokens
from schedmate.tools.late_patterns import late, late_re2

MASK = "<secret>"

TELLS = re2.compile(
    r"(?i)pass|pwd|pw\b|secret|token|key|auth|cred|cookie|session|sid|sig|cert|bearer|sas|dsn|webhook|salt|jwt|otp|pat|conn"
)
"""Without one of these a line names no secret."""
NAMED = late_re2(
    r"(?i)([\w.-]{0,80}?(?:pass(?:word|wd|phrase|code|wort)?|pwd?|secrets?|tokens?|keys?|auth\w{0,12}|credentials?|cookie"
    r"|session(?:_?id)?|sid|sig|cert|bearer|sas|dsn|webhook(?:_?url)?|salt|jwt|t?otp|pat|connection_?string|conn_?str)"
    r"\d{0,3})"
    r"("
    r"(?:\\{0,3}[\"'`])?[\])]{0,2}(?:[ \t]{0,40}(?:=>|:=|==?|:|%3D)|[ \t.]{0,3}\.{3,}|[ \t]{1,40}\|)[ \t]{0,40}"
    r"|(?:\\{0,3}[\"'`]),?[ \t]{0,3}(?:\\{0,3}[\"'])?value(?:\\{0,3}[\"'])?[ \t]{0,3}[=:][ \t]{0,3}"
    r"|[ \t]{1,3}(?:is|for[ \t]{1,3}[^\s:]{1,80}[ \t]{0,3}:)[ \t]{1,3}"
    r"|>|</\w{1,40}>[ \t]{0,10}<value>|[\"'],[ \t]{0,3}|[ \t]{1,3}[(\[]|[ \t]{1,40})"
)
"""A name and what is before its value, as in: a = b; name: a, value: b; a is b; <a>b</a>; ['--a', 'b']; --a b."""
SHELL_SETS = re.compile(r"\b(?:setenv|set[ \t]{1,3}-[gxU]{1,3})[ \t]{1,3}\Z")
"""How csh and fish set a variable, whose value follows after a blank."""
TAGGED = re.compile(r"!{1,2}[A-Za-z][\w:/.-]{0,40}[ \t]{1,3}")
"""YAML's own word on a value's type."""
TYPED = re.compile(r"[A-Za-z_][\w.]{0,40}(?:\[[\w., ]{0,40}\])?[ \t]{0,3}=[ \t]{0,3}(?=[\"'])")
QUOTED = re.compile(r"(\\{0,3})([\"'`])")
PLAIN = late(r"(?:[^\s\"'<>&;,)}\]│|]|[,)}\]](?=[^\s,)}\]\"'│|])(?![\w.-]{1,40}[=:]))+")
TO_THE_BLANK = re.compile(r"[^\s\"']+")
TO_THE_END = re.compile(r"[^\"'\r\n]+")
VARIABLE = re.compile(r"[A-Z][A-Z0-9_]*\Z")

REFERENCE = late(
    r"\$|%\(|\{\{|<|\[|\*{2,}|\.{3}|(?:self|args?|opts?|options|cfg|config|conf|settings|os|env|environ|flags|FLAGS|params|secrets"
    r"|getpass|hparams|kwargs|values|\.Values)[.\[(]|[A-Za-z_][\w.]{0,80}\("
)
"""A value that only says where a value is to be had."""
PINS = ("password", "passwd", "pass", "passcode", "passphrase", "pwd", "otp")
"""What may be digits alone; elsewhere those are a count."""
KEY_BEGINS = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
KEY_ENDS = re.compile(r"-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----")
KEY_BODY = re.compile(r"[A-Za-z0-9+/=]{16,}|[A-Za-z0-9+/]{2,}={1,2}(?=\s|$)|=[A-Za-z0-9+/]{4}(?=\s|$)")
KEY_LINE = re.compile(r"[A-Za-z0-9+/=:,. -]*$")

LONGEST_KEY = 200
"""Lines; an end that never comes must not hide the rest of a log."""
LONGEST_VALUE = 512

MOST_VALUES = 500
"""Values of a log that are looked for without their names."""
BODY_ALONE = re.compile(r"^\s{0,12}[A-Za-z0-9+/]{64}(?:[A-Za-z0-9+/]{12})?\s{0,3}$")
VALUE_BELOW = late(
    r"(?i)^[ \t-]{0,60}[\"']?(?:name|key)[\"']?[ \t]{0,3}:[ \t]{0,3}[\"']?([\w.-]{1,100})[\"']?,?\s{0,3}$"
)
VALUE_HERE = late(r"(?i)^([ \t-]{0,60}[\"']?value[\"']?[ \t]{0,3}:[ \t]{0,3}[\"']?)([^\s\"'][^\"'\r\n]*)")


class Masker:
    """Mask line after line; a key's block and a manifest's `name` and `value` stand on several."""

    def __init__(self, code: bool = False) -> None:
        self.code = code
        """In source code a bare word is a name, no value, and what is parsed later must stay well-formed."""
        self.in_key = 0
        """How many lines a key's block may still have."""
        self.indent = 0
        """What each of its lines begins with, as its first did: a time, say."""
        self.value_follows = False
        self.seen: list[str] = []
        """Values that were masked, the longest first; where one stands without its name it is masked, too."""

    def line(self, text: str) -> str:
        """Mask one line, which may hold its end."""
        text = self.fresh(text)
        for value in self.seen:  # no pattern of them all: it would be made anew for each, and outgrow what RE2 can hold
            text = text.replace(value, MASK)
        return text

    def fresh(self, text: str) -> str:
        """Mask what a line shows by itself to be a secret."""
        if self.in_key:
            return self.key_line(text, self.indent)
        if self.value_follows:
            self.value_follows = False
            text = VALUE_HERE.sub(lambda match: match[1] + MASK, text)
        if "PRIVATE KEY" in text and (begin := KEY_BEGINS.search(text)):
            head = text[: begin.start()]
            self.in_key, self.indent = LONGEST_KEY, len(head)
            masked = (self.fresh(head) if head.strip() else head) + MASK + self.key_line(text[begin.end() :], 0)
            if text[begin.end() :].lstrip("\\").startswith("n"):  # written as one line, which is all there is of it
                self.in_key = 0
            return masked
        if len(text) > 64 and BODY_ALONE.match(text) and looks_random(text.strip()):
            return MASK + text[len(text.rstrip()) :]
        if anything().search(text):
            text = tokens().sub(MASK, text)
            for place in places():
                text = self.hidden(text, [match.span(1) for match in place.finditer(text)])
        if not TELLS.search(text):
            return text
        text = self.hidden(text, list(self.named(text)))
        if match := VALUE_BELOW.match(text):
            self.value_follows = bool(sureness_of(match[1]))
        return text

    def hidden(self, text: str, spans: list[tuple[int, int]]) -> str:
        """Put masks into some places, and remember what looked drawn: a traceback shows it again without its name."""
        drawn = [value for start, end in spans if len(value := text[start:end]) < LONGEST_VALUE and looks_random(value)]
        fresh = {value for value in drawn if value not in self.seen}
        if fresh and len(self.seen) < MOST_VALUES:
            self.seen = sorted([*self.seen, *fresh], key=len, reverse=True)
        return "".join(without(text, spans))

    def key_line(self, text: str, indent: int) -> str:
        """Mask a line of a key's block; the block ends by its last line, or when it is too long to be one."""
        self.in_key -= 1
        end = KEY_ENDS.search(text)
        if end or "PRIVATE KEY" in text[:200]:  # or another begins: the first was cut
            self.in_key = 0
            at = end.end() if end else 0
            return (MASK if end else "") + (self.fresh(text[at:]) if text[at:].strip() else text[at:])
        head, body = text[:indent], text[indent:].rstrip("\r\n")
        rest = text[indent + len(body) :]
        if KEY_LINE.match(body):
            return head + MASK + rest
        left, self.in_key = self.in_key, 0  # another program's line between those of a key, or the key was cut
        masked = self.fresh(head + KEY_BODY.sub(MASK, body) + rest)
        self.in_key = self.in_key or left
        return masked

    def named(self, text: str) -> Iterator[tuple[int, int]]:
        """Find the values of names that secrets have."""
        done = 0
        for match in NAMED.finditer(text):
            if match.start() < done:
                continue
            name, between = str(match.group(1)), str(match.group(2))
            sure = sureness_of(name)
            if not sure:
                continue
            span = self.value_of(text, match.start(), match.end(), name, between, sure)
            if span is not None:
                done = span[1]
                yield span

    def value_of(
        self, text: str, start: int, at: int, name: str, between: str, sure: Sureness
    ) -> tuple[int, int] | None:
        """Find where the value stands that belongs to a name, if it is a secret."""
        is_option = name.startswith("-") or text[max(0, start - 2) : start].endswith("-")
        is_option = is_option or SHELL_SETS.search(text[max(0, start - 12) : start]) is not None
        prose = not is_option and between.strip() in {"", "(", "["}
        if prose and sure == "header":
            return None
        if between == ">" and text[max(0, start - 1) : start] != "<":
            return None
        if between[0] in "\"'" and "," in between and "value" not in between and not is_option:
            return None
        if typed := TYPED.match(text, at) or TAGGED.match(text, at):
            at = typed.end()
        quote = QUOTED.match(text, at)
        span = until_quote(text, quote.end(), quote[0]) if quote else self.bare(text, at, name, between, sure)
        if span is None or span[0] == span[1]:
            return None
        value = text[slice(*span)]
        if prose and not (looks_random(value) or (sure == "sure" and not between.strip() and looks_chosen(value))):
            return None
        if between.strip().startswith(("is", "for")) and not quote and not looks_chosen(value):
            return None
        if between[-1:] == ">" and "<" not in text[span[1] : span[1] + 1]:
            return None
        return span if is_secret(name, value, sure, bool(quote), is_option, self.code) else None

    def bare(self, text: str, at: int, name: str, between: str, sure: Sureness) -> tuple[int, int] | None:
        """Find the end of a value without quotes: a header's is its line, a variable's goes to the next blank."""
        whole = sure == "header" and not self.code
        pattern = TO_THE_END if whole else TO_THE_BLANK if between == "=" and VARIABLE.match(name) else PLAIN
        match = pattern.match(text, at)
        return match.span() if match else None


def until_quote(text: str, at: int, quote: str) -> tuple[int, int]:
    """Find a quoted value's end; one that is cut off goes to the end of the line."""
    place = at
    while (place := text.find(quote, place)) >= 0:
        if len(quote) > 1 or text[place - 1] != "\\" or text[place - 2 : place] == "\\\\":
            return at, place
        place += 1
    return at, len(text.rstrip())


def is_secret(name: str, value: str, sure: Sureness, quoted: bool, is_option: bool, code: bool) -> bool:
    """Judge a value by its name and by itself."""
    value, bare_name = value.strip(), name.lstrip("-").lower()
    if stands_for_nothing(value, name, quoted) or (is_option and not quoted and value.startswith("-")):
        return False
    if bare_name in {"pwd", "oldpwd"} and value[0] in "/~":
        return False
    if code and not quoted:
        return looks_random(value)
    if sure in {"sure", "header"}:
        digits = value.replace(".", "").isdigit()
        return not digits or (len(value) >= 4 and "." not in value and bare_name.endswith(PINS))
    if is_option or VARIABLE.match(name):
        return not value.replace(".", "").isdigit() and not value.startswith(("/", "~", "."))
    return looks_random(value)


def stands_for_nothing(value: str, name: str, quoted: bool) -> bool:
    """Tell what is empty, a word like `None`, a mask, or says only where a secret is to be had."""
    if not value or value.startswith(MASK) or is_nothing(value, name) or is_nothing(value.partition(",")[0], name):
        return True
    if quoted:
        return value.startswith(("$", "{{", "<", "%(", "***")) or not value.strip("*.x-")
    return REFERENCE.match(value) is not None


def looks_random(value: str) -> bool:
    """Tell drawn letters from words: long, of several kinds, and hardly any of them twice."""
    longest = max(re.split(r"[\s_.:/\\-]", value), key=len)
    if len(longest) < 12 and not (len(value) >= 24 and entropy(value) >= 4):
        return False
    kinds = sum(any(test(letter) for letter in value) for test in (str.isdigit, str.islower, str.isupper))
    return kinds >= 2 and entropy(longest if len(longest) >= 12 else value) >= 2.9


def looks_chosen(value: str) -> bool:
    """Tell what a person would choose for a password from a word of prose: `is Kiwi_42`, and not `is required`."""
    inner = value.strip(".,;:!?")
    mixed = not inner.isalpha() or not (inner.islower() or inner.isupper() or inner.istitle())
    return len(inner) >= 6 and mixed and inner[0].isalnum() and not REFERENCE.match(value)


def entropy(text: str) -> float:
    """Give a text's bits a letter."""
    return -sum(count / len(text) * math.log2(count / len(text)) for count in Counter(text).values())


def without(text: str, spans: list[tuple[int, int]]) -> Iterator[str]:
    """Give a text with masks in some places."""
    done = 0
    for start, end in spans:
        if start >= done and text[start:end] != MASK:
            yield text[done:start] + MASK
            done = end
    yield text[done:]


def mask_text(text: str) -> str:
    """Mask a whole text, as it is sent to a model."""
    masker = Masker()
    return "".join(map(masker.line, text.splitlines(keepends=True)))


def mask_code(text: str) -> str:
    """Mask a file of source code or settings, which is parsed afterwards."""
    masker = Masker(code=True)
    return "".join(map(masker.line, text.splitlines(keepends=True)))
