"""Replace what names people, machines and secrets; equal things stay equal, so the log still tells its story."""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache

import re2

from schedmate.knowledge import public_names
from schedmate.knowledge.public_names import path_words
from schedmate.readers.failures.hosts.host_lists import (
    beside_known,
    expanded,
    named_lists,
    shape_of,
    shape_of_form,
    short_forms,
    shortened,
)
from schedmate.readers.failures.hosts.rank_hosts import whereabouts
from schedmate.readers.lines import clean, visible
from schedmate.tools.logfile import LogFile
from schedmate.tools.masking import Masker

LIBRARY = re.compile(r"/(?:(?:site|dist)-packages|lib/python\d[\w.]*|torch|triton|csrc)/")

TELLS = re2.compile(r"(?i)(?:user|username|login|owner|account|uid)[\"']?\s{0,3}[=:]")
"""Without one of these a line names no user; RE2 says so many times faster than the pattern."""
TELLS_ADDRESS = re2.compile(r"\d\.\d{1,3}\.\d{1,3}\.\d")
TELLS_DOMAIN = re2.compile(
    r"\.(?:com|net|org|edu|gov|internal|intranet|corp|lan|arpa|io|ai|co|dev|app|cloud|local|svc|home|[a-z][a-z]:\d\d)\b"
)
TELLS_COLONS = re2.compile(
    r"[0-9a-fA-F]{1,4}:[0-9a-fA-F]{1,4}:[0-9a-fA-F]{1,4}:[0-9a-fA-F:]|[23fF][0-9a-fA-F]{3}:[0-9a-fA-F:]*:"
)
MAIL = re.compile(r"\b[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,8}\b")
IPV4 = re.compile(r"(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])")
IPV6 = re.compile(
    r"(?<![\w:])(?:(?:[0-9a-fA-F]{1,4}:){3,7}(?::?[0-9a-fA-F]{1,4}){1,4}"
    r"|[23fF][0-9a-fA-F]{3}(?::[0-9a-fA-F]{1,4}){0,6}::(?:[0-9a-fA-F]{1,4}:){0,6}[0-9a-fA-F]{1,4})(?![\w:])"
)
MAC = re.compile(r"(?<![\w:])(?:[0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}(?![\w:])")
UUID = re.compile(r"\b(GPU-|MIG-)?[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b")
URL_HOST = re.compile(r"(?<=://)(?:[^/\s:@]{1,100}(?::[^/\s@]{0,100})?@)?([A-Za-z0-9.-]{1,253})")
USER = re.compile(
    r"(?i)(\b(?:user(?:name)?|login|owner|account|uid)[\"']?\s{0,3}[=:]\s{0,3}[\"']?)([A-Za-z][\w.-]{1,31})"
)
HOME = re.compile(r"(?<![\w.])(/(?:home|Users|scratch/users|u|data/users|lustre/users)/)([A-Za-z0-9_][\w.-]{0,31})")
PATH = re.compile(r"(?<![\w./:])(?:~|\.{1,2})?/(?:[\w.@+=-]{1,128}/)+[\w.@+=%-]{0,128}")
HOST_WORD = re.compile(
    r"(?:\b(?:on|ON|nodes?|node ?list|host(?:name)?s?|NodeName|machine|server|from|peer|master_addr|MASTER_ADDR)"
    r"(?: {0,12}[=:] {0,3}|[ =:]{1,3})['\"(\[]?|\bsrun: error: )([A-Za-z][A-Za-z._-]{0,40}\d[\w.-]{0,60})"
)

DOMAIN = re.compile(
    r"(?<![\w.@/-])((?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,6}(?:com|net|org|edu|gov|internal|intranet|corp|lan|arpa)"
    r"|(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){2,6}(?:io|ai|co|dev|app|cloud|local|svc|home)"
    r"|(?:[A-Za-z0-9][A-Za-z0-9-]{0,62}\.){1,6}(?!py|cc|rs|sh|pl|ml|so|cu|pt|md|hs|js|ts|go|vi|ps)[a-z]{2}(?=:\d{2,5}\b))"
    r"(?![\w-]|\.\w|\()"
)
"""A host by its whole name: what follows the last dot is a domain's end and no module's or file's."""
CONTEXT_LINES = 4000

VARYING = re.compile(r"(?<![\w.,:-])\d[\d.,:]{0,40}(?![\w-])")
"""Numbers that stand alone: no name is made of them, so lines that differ in nothing else tell the same names."""
MOST_TEMPLATES = 50_000
TOLD_EVERY = 1000

LEARN_WHOLE_BYTES = 64 << 20
"""Up to here a log is read twice, the first time for its names."""
MOST_LISTED = 4096
"""Hosts that short forms alone tell of; of a log's further lists each is hidden as one name, and where it stands."""
MOST_EXPANDED = 1 << 16
"""Hosts, known or not, that short forms are taken apart into."""
SEGMENT = re.compile(r"[\w-]+")
is_public = lru_cache(maxsize=4096)(public_names.is_public)


class Anonymizer:
    """Remember what each name was replaced by; names that prefixes or contexts reveal are replaced everywhere."""

    def __init__(self) -> None:
        self.names: dict[str, dict[str, str]] = {}
        self.words: dict[str, str] = {}
        self.lengths: dict[str, list[int]] = {}
        """By the letters that words begin with, up to a dot or the like, how long such words are, the longest first."""
        self.shapes: set[str] = set()
        self.lists: dict[str, str] = {}
        self.strange: dict[str, int] = {}
        """Short lists without a known host, and how many words were known then."""
        self.listed_left = MOST_LISTED
        self.expanded_left = MOST_EXPANDED
        self.learnt_from: set[int] = set()
        self.masker = Masker()
        self.domains: dict[str, str] = {}
        """By its first part, which alone names a host to its neighbours, the full name that it was first seen with."""

    def rewrite(self, log: LogFile, advance: Callable[[int, int], None] = lambda done, total: None) -> Iterator[str]:
        """Give the log's lines anew, line feeds and carriage returns kept, so that line numbers stay.

        Names are learnt first: a host that only its last line reveals is named on earlier ones, too. `advance` hears
        how many bytes are done and how many there are, those that are read twice counted twice.
        """
        for host in whereabouts(log, log.size // 2).hosts:
            self.host(host)
        learnt = log.size <= LEARN_WHOLE_BYTES
        done, total = 0, log.size * (1 + learnt)
        if learnt:
            for number, line in enumerate(log.lines()):
                self.learn(visible(line.raw))
                done += len(line.raw)
                if number % TOLD_EVERY == 0:
                    advance(done, total)
            done = log.size
        for _, block in log.blocks(0, log.size):
            for number, row in enumerate(block.decode("utf-8", "replace").splitlines(keepends=True)):
                yield self.line(row, learnt)
                done += len(row)
                if number % TOLD_EVERY == 0:
                    advance(done, total)

    def stand_in(self, kind: str, name: str, form: Callable[[int], str]) -> str:
        """Give a name its replacement, the same each time."""
        known = self.names.setdefault(kind, {})
        if name not in known:
            known[name] = form(len(known) + 1)
        return known[name]

    def line(self, text: str, learnt: bool = False) -> str:
        """Replace in one line: secrets first, so that no part of one survives as something else.

        What a pattern cannot do without is looked for first: most lines hold none of it.
        """
        text = self.masker.line(text)
        if "@" in text:
            text = MAIL.sub(lambda m: self.stand_in("mail", m[0], lambda n: f"user{n}@example.com"), text)
        text = self.numbered(text)
        if not learnt:
            self.learn(text)
        if "/" in text:
            text = HOME.sub(lambda m: m[1] + self.user(m[2]), text)
        if TELLS.search(text):
            text = USER.sub(lambda m: m[1] + self.user(m[2]), text)
        if "/" in text:
            text = PATH.sub(lambda m: self.path(m[0]), text)
        return self.without_words(self.without_short_forms(text))

    def without_short_forms(self, text: str) -> str:
        """Write each of Slurm's short lists of hosts anew, as the short form of what they are replaced by."""
        for start, end in reversed(list(short_forms(text, self.tells_known))):
            text = text[:start] + self.short_form(text[start:end]) + text[end:]
        return text

    def short_form(self, form: str) -> str:
        """Replace a short list by one of its hosts' stand-ins, or by a single one if it is unreadable or too much."""
        if form.startswith("host-"):
            return form
        if form not in self.lists:
            hosts = expanded(form) if self.expanded_left > 0 else []
            self.expanded_left -= len(hosts)
            fresh = sum(name not in self.words for name in hosts)
            if not hosts or fresh > self.listed_left:
                self.lists[form] = self.stand_in("host", form, "host-{:03d}".format)
            else:
                self.listed_left -= fresh
                self.lists[form] = shortened([self.words.get(name) or self.host(name) for name in hosts])
        return self.lists[form]

    def tells_known(self, form: str) -> bool:
        """Tell a short list that a known host is in; when too many were taken apart, one of a known host's shape."""
        if shape_of_form(form) not in self.shapes or self.strange.get(form) == len(self.words):
            return False
        if self.expanded_left <= 0 or form in self.lists:
            return True
        hosts = expanded(form)
        self.expanded_left -= len(hosts)
        known = any(map(self.is_host, hosts))
        if not known:
            self.strange[form] = len(self.words)
        return known

    def without_words(self, text: str) -> str:
        """Replace the names learnt so far, and their like beside them in a list."""
        if self.lengths.keys().isdisjoint(SEGMENT.findall(text)):
            return text
        for name in list(beside_known(text, self.is_host)):
            self.host(name)
        parts, done = [], 0
        for segment in SEGMENT.finditer(text):
            word = self.word_at(text, segment) if segment.start() >= done else ""
            if word:
                parts += [text[done : segment.start()], self.words[word]]
                done = segment.start() + len(word)
        return "".join([*parts, text[done:]])

    def word_at(self, text: str, segment: re.Match[str]) -> str:
        """Give the longest known word that begins here and goes on no further, or nothing."""
        at = segment.start()
        words = (text[at : at + length] for length in self.lengths.get(segment[0], ()))
        return next((word for word in words if word in self.words and not SEGMENT.match(text, at + len(word))), "")

    def note(self, word: str, instead: str) -> None:
        """Remember what a word is replaced by wherever it stands."""
        self.words[word] = instead
        begins = SEGMENT.match(word)
        if begins:
            lengths = self.lengths.setdefault(begins[0], [])
            if len(word) not in lengths:
                lengths.append(len(word))
                lengths.sort(reverse=True)
        if instead.startswith("host-"):
            self.shapes.add(shape_of(word))

    def is_host(self, name: str) -> bool:
        """Tell a host that was met."""
        return self.words.get(name, "").startswith("host-")

    def numbered(self, text: str) -> str:
        """Replace identifiers and addresses."""
        if text.count("-") >= 4:
            text = UUID.sub(
                lambda m: (m[1] or "") + self.stand_in("uuid", m[0], lambda n: f"00000000-0000-4000-8000-{n:012x}"),
                text,
            )
        colons = text.count(":") >= 2 and TELLS_COLONS.search(text)
        if colons:
            text = MAC.sub(
                lambda m: self.stand_in("mac", m[0], lambda n: f"02:00:00:00:{n >> 8 & 255:02x}:{n & 255:02x}"), text
            )
        if "://" in text:
            text = URL_HOST.sub(lambda m: self.host(m[1]), text)
        if "." in text and TELLS_DOMAIN.search(text):
            text = DOMAIN.sub(lambda m: self.host(m[1]), text)
        if text.count(".") >= 3 and TELLS_ADDRESS.search(text):
            text = IPV4.sub(lambda m: self.address(m[0]), text)
        if colons:
            text = IPV6.sub(lambda m: self.stand_in("ipv6", m[0], lambda n: f"2001:db8::{n:x}"), text)
        return text

    def learn(self, text: str) -> None:
        """Note the host and user names that this line reveals, unless a line like it was read."""
        template = hash(VARYING.sub("#", text))
        if template in self.learnt_from:
            return
        if len(self.learnt_from) < MOST_TEMPLATES:
            self.learnt_from.add(template)
        told = (clean(text[:CONTEXT_LINES]).host or "", *HOST_WORD.findall(text))
        for name in (*told, *named_lists(text)):
            if "[" in name:
                self.short_form(name)
            elif len(name) > 2 and name not in self.words and not IPV4.fullmatch(name):
                self.host(name)
        for start, end in short_forms(text, self.tells_known):
            self.short_form(text[start:end])
        users = [name for _, name in HOME.findall(text) if name not in self.words and len(name) > 3]
        for name in users:
            self.note(name, self.user(name))

    def host(self, name: str) -> str:
        """Replace a host's name by one that still looks like a host."""
        if IPV4.fullmatch(name):
            return self.address(name)
        if is_public(name) or name.startswith("host-"):
            return name
        short, dot, _ = name.partition(".")
        numbered = any(letter.isdigit() for letter in short)
        if numbered and dot and self.domains.setdefault(short, name) != name:
            short = name  # the same number in another domain is another host
        self.note(name, self.stand_in("host", short if numbered else name, "host-{:03d}".format))
        if numbered and len(short) > 3 and short not in self.words:
            self.note(short, self.words[name])
        return self.words[name]

    def address(self, text: str) -> str:
        """Replace an address; loopback and any-address tell nothing, and a version number is none."""
        if text.startswith(("127.", "0.0.0.0", "10.254.")) or any(int(part) > 255 for part in text.split(".")):
            return text
        return self.stand_in("ipv4", text, lambda n: f"10.254.{n >> 8 & 255}.{n & 255}")

    def user(self, name: str) -> str:
        """Replace a user's name."""
        if name in {"root", "user", "ubuntu", "None", "null"} or name.startswith("user-"):
            return name
        return self.stand_in("user", name, lambda n: f"user-{n}")

    def path(self, text: str) -> str:
        """Replace each part of a path that could tell something; library paths are public already."""
        library = LIBRARY.search(text)
        head, tail = (text[: library.start()], text[library.start() :]) if library else (text, "")
        return "/".join(self.part(part) for part in head.split("/")) + tail

    def part(self, part: str) -> str:
        """Replace one part of a path and keep its extension."""
        if not part or part in path_words() or part.startswith(("user-", "host-")) or set(part) <= set(".~0123456789"):
            return part
        stem, dot, extension = part.rpartition(".")
        if not stem or len(extension) > 8:
            stem, dot, extension = part, "", ""
        return self.stand_in("part", stem, lambda n: f"p{n}") + dot + extension
