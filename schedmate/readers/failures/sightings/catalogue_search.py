"""The catalogue made ready for searching: one scanner over its literals, its patterns compiled when first needed."""

import re
from collections import defaultdict
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import re2

from schedmate.knowledge.catalogue import Failure, load_catalogue
from schedmate.knowledge.site import site_failures
from schedmate.readers.failures.lines.run_boundaries import BOUNDARY_WORDS
from schedmate.readers.failures.sightings.machine_trouble import tells_of_trouble
from schedmate.readers.lines import STACK_HEAD
from schedmate.tools.late_patterns import late_re2
from schedmate.tools.literals import LiteralScanner, compile_re2, folded, present

GENERIC_WORDS = ("error", "fatal", "exception", "critical", "panic", "failed", "abort", "killed", "not found", "cannot")
"""What makes a line worth a look although no entry knows it."""
GLOG_FATAL = ("\nf0", "\nf1", "f0000 00:00:")
"""How a line of glog's begins that its process does not outlive: F and the month, or abseil's before it is set up."""

SUPPOSES = re2.compile(
    rb"\b(?:This|It|That) (?:can|may|might|could|usually|often|sometimes) (?:also )?"
    rb"(?:happens?|be due|be caused|occurs?|mean)\b"
    rb"|\b[Tt]here are some potential|\b(?:[Pp]ossible|[Pp]otential|[Ll]ikely|[Cc]ommon) (?:root )?(?:cause|reason)s?\b"
)
"""Where a message leaves what happened and lists what might have been behind it."""

IMAGINES = re2.compile(
    rb"\b[Ii]f (?:you|your|the|this|that|it|any)\b"
    rb"|\b(?:may|might|could|can) (?:also )?(?:lead|led|result|cause|produce)\b"
)
"""Where a message tells what to do in a case, or what would follow: plain words behind it state nothing."""

STATE = re.compile(rb"\b[A-Z]{2,30}(?:_[A-Z]{2,30}){1,8}\b")
"""How services name a state or a reason."""

MACHINES = "machines."
"""The area of entries that only say of which part a kernel or a daemon speaks."""

THINGS = late_re2(
    rb"\b(?:ranks?|proc|process|task|epoch|step|iter|iteration|layer|block|head|model|seed|fold|trial|shard|sample|batch"
    rb"|chunk|ckpt|checkpoint|player|episode|env|v|version)[-_]?\d{1,9}\b"
)
"""What programs number: no machine is called so."""

Match = tuple[Failure, dict[str, str]]

Rank = tuple[bool, float, int]
"""How sure a match is: of any specific entry more than of the general, then by weight, then by the longest literal."""


class Entries:
    """Find the entry that fits a line, and the lines that may fit any.

    Entries of weight 0 only explain a line away, and those that go by wording only class what no other entry knows.
    Both are tried on lines that something else made worth a look; their words, common ones often, are not searched for.
    """

    def __init__(self, failures: Sequence[Failure]) -> None:
        telling = [failure for failure in failures if failure.weight > 0 and failure.literals]
        literals = [literal for failure in telling for literal in failure.literals]
        self.scanner = LiteralScanner([*GENERIC_WORDS, *GLOG_FATAL, STACK_HEAD, *BOUNDARY_WORDS, *literals])
        self.compiled: dict[str, Any] = {}  # Any: RE2 has no types
        self.ranks: dict[str, Rank] = {}
        self.entries_of: dict[int, list[Failure]] = defaultdict(list)
        for failure in telling:
            for literal in failure.literals:
                self.entries_of[self.scanner.number_of[folded(literal)]].append(failure)
        explaining = [(literal, failure) for failure in failures if not failure.weight for literal in failure.literals]
        self.explained_by = [failure for _, failure in explaining]
        self.explaining = compile_re2([folded(literal) for literal, _ in explaining])
        self.by_wording = [failure for failure in failures if failure.wording]
        daemons = [failure for failure in failures if failure.daemon]
        self.of_daemons = [failure for failure in daemons if not failure.id.startswith(MACHINES)]
        self.of_machines = [failure for failure in daemons if failure.id.startswith(MACHINES)]
        self.head = self.scanner.number_of[folded(STACK_HEAD)]

    def match(self, text: str) -> Match | None:
        """Give the entry that fits a cleaned line best: the specific, then by its words, then by its name.

        What the line states counts before what it supposes.
        """
        raw = text.encode("utf-8", "replace")
        supposed = SUPPOSES.search(raw)
        best = self.best_of(self.possible(raw), raw[: supposed.start()]) if supposed else None
        best = best or self.best_of(self.possible(raw), raw)
        if best is None or (best[0].general and best[0].weight):
            return self.worded(raw) or best
        return best

    def worded(self, raw: bytes) -> Match | None:
        """Give the entry that fits by words; names of states (`NODE_LOST`) are read as words, too."""
        raw = stated(raw)
        if found := self.best_of(self.by_wording, raw):
            return found
        spelled = STATE.sub(in_words, raw)
        return self.best_of(self.by_wording, spelled) if spelled != raw else None

    def match_daemon(self, text: str) -> Match | None:
        """Give the entry that fits what a daemon says: the specific, else by its plain words."""
        found = self.match(text)
        if found and not found[0].general:
            return found
        return self.best_of(self.of_daemons, stated(text.encode("utf-8", "replace"))) or found

    def match_machine(self, text: str, said: str) -> Match | None:
        """Give the entry of the part that a kernel or a daemon tells trouble of, in words that no other entry knows.

        `said` is the line without its speaker: only where that names no part, his name may.
        """
        if not tells_of_trouble(text):
            return None
        told = (THINGS.sub(b"it", stated(words.encode("utf-8", "replace"))) for words in (said, text))
        return next((found for words in told if (found := self.best_of(self.of_machines, words))), None)

    def best_of(self, failures: Sequence[Failure], raw: bytes) -> Match | None:
        """Give the surest of those that fit, any specific one before the general."""
        for failure in sorted(failures, key=self.rank, reverse=True):
            if found := self.pattern(failure).search(raw):
                return self.harmless(failure, failures, raw) or (failure, decoded(found.groupdict()))
        return None

    def harmless(self, best: Failure, failures: Sequence[Failure], raw: bytes) -> Match | None:
        """Give the entry that knows a line as harmless and is meant to take it from the one that fits best."""
        for failure in failures:
            if failure.role == "health" and best.id in failure.overlaps and self.pattern(failure).search(raw):
                return failure, {}
        return None

    def possible(self, raw: bytes) -> list[Failure]:
        """List the entries of which a literal stands in a line."""
        entries = {entry.id: entry for _, number in self.scanner.find(raw) for entry in self.entries_of.get(number, ())}
        explaining = {
            self.explained_by[number].id: self.explained_by[number] for number in present(self.explaining, raw)
        }
        return [*entries.values(), *explaining.values()]

    def rank(self, failure: Failure) -> Rank:
        """Give an entry's rank, made on first use."""
        if failure.id not in self.ranks:
            longest = max(map(len, failure.literals), default=0)
            self.ranks[failure.id] = (not failure.general, failure.weight, longest)
        return self.ranks[failure.id]

    def pattern(self, failure: Failure) -> Any:  # Any: RE2 has no types
        """Compile an entry's pattern on first use, and for bytes, which RE2 reads as they are."""
        if failure.pattern not in self.compiled:
            self.compiled[failure.pattern] = re2.compile(failure.pattern.encode())
        return self.compiled[failure.pattern]


LEFT_OUT: set[str] = set()
"""Ids of entries that are not used; an eval asks what a diagnosis is worth without them."""


@lru_cache(maxsize=1)
def ready_entries() -> Entries:
    """Make the catalogue ready once a process; a site's entry takes the place of a shipped one of its id."""
    own = site_failures()
    aside = LEFT_OUT | {failure.id for failure in own}
    return Entries([*(failure for failure in load_catalogue() if failure.id not in aside), *own])


def stated(raw: bytes) -> bytes:
    """Leave out what a message only imagines."""
    imagined = IMAGINES.search(raw)
    return raw[: imagined.start()] if imagined else raw


def in_words(name: re.Match[bytes]) -> bytes:
    """Write the name of a state as words."""
    return name[0].lower().replace(b"_", b" ")


def decoded(groups: dict[bytes, bytes | None]) -> dict[str, str]:
    """Give the groups that took part in a match, as text."""
    return {key.decode(): value.decode("utf-8", "replace") for key, value in groups.items() if value}
