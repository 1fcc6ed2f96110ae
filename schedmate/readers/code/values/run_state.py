"""What one reading of a program carries along: its files, what it met on the way, what it noted, and its budget."""

import ast
import posixpath
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import cached_property
from typing import cast

from schedmate.knowledge.code_words import words
from schedmate.readers.code.values.copies import Copies, lies_at, touch
from schedmate.readers.code.values.events import Event, FollowedCalls, FollowedLoop
from schedmate.readers.code.values.leaving import BudgetSpent
from schedmate.readers.code.values.scopes import Module, WriteJournal
from schedmate.readers.code.values.value import Held, Items, SourceLocation, Value
from schedmate.tools.repository import LARGEST_FILE, NotReadable, Repository

MOST_STEPS = 150_000
MOST_EVENTS = 20_000

RATES = words("training.rates")

CHANGING = ("subprocess.", "os.system", "os.popen", "os.remove", "os.unlink", "open", "io.open", "pathlib.Path.unlink")
"""What may change a file that it names."""


class Gap(Enum):
    """What a reading could not see whole, so that no rule takes what it saw for all there is."""

    PATH = auto()
    """code or settings that the program goes through"""
    CONFIGURATION = auto()
    """a configuration that it names and that is not here"""
    LAYERS = auto()
    """the layers of a network, on which nothing else hangs than its size"""


@dataclass
class RunState:
    """What is carried along."""

    repository: Repository
    argv: list[Value]
    environ: dict[str, Value] = field(default_factory=dict)
    unset: set[SourceLocation] = field(default_factory=set)
    """Where the program asks for variables that are not set here."""
    facts: dict[str, Value] = field(default_factory=dict)
    copied: Copies = field(default_factory=dict)
    untouched: Copies = field(default_factory=dict)
    """What was a copy of what before the last call that may change one: a command that it starts still meets it."""
    roots: tuple[str, ...] = (".",)
    package: str = ""
    """What the whole repository is called where it is run as a package, from the folder above."""
    workdir: str = "."
    started_from: tuple[str, ...] = ()
    """The folders of the shell scripts that start the program, the innermost first."""
    interesting: frozenset[str] = frozenset()
    modules: dict[str, Module | None] = field(default_factory=dict)
    main: Module | None = None
    trees: dict[str, ast.Module | None] = field(default_factory=dict)
    events: list[Event] = field(default_factory=list)
    imports: dict[str, SourceLocation] = field(default_factory=dict)
    reads: dict[str, list[Value]] = field(default_factory=dict)
    namespaces: list[Value] = field(default_factory=list)
    configs: list[tuple[str, Value]] = field(default_factory=list)
    instances: list[Value] = field(default_factory=list)
    written: dict[str, Value] = field(default_factory=dict)  # files that came to be on the way: texts or settings
    notes: list[str] = field(default_factory=list)
    gaps: dict[Gap, str] = field(default_factory=dict)
    """What was not seen, by the first note that says so."""
    loops: list[FollowedLoop] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    active: dict[tuple[int, int], int] = field(default_factory=dict)
    followed: dict[int, FollowedCalls] = field(default_factory=dict)
    """What each function has cost so far, by its definition."""
    kept: dict[type, object] = field(default_factory=dict)
    tables: dict[int, Items] = field(default_factory=dict)
    journal: WriteJournal = field(default_factory=WriteJournal)
    maybe_empty: dict[int, list[Value]] = field(default_factory=dict)
    """Lists that only some of the ways through a branch put something in."""
    grown: dict[int, list[Value] | tuple[Value, ...] | Items] = field(default_factory=dict)
    lengths: dict[int, tuple[list[Value], Value]] = field(default_factory=dict)
    """How long lists are of which not every item is there, where it could be counted."""
    follows_use: bool = False
    """The job does not train: evaluating and sampling are its work, and are followed too."""
    unsure: int = 0
    rivals: int = 0
    """How many of the calls around this place are made of one of several objects."""
    tries: int = 0
    again: int = 0
    growing: int = 0
    """Loops over lists of which not every item was seen."""
    comprehending: int = 0
    asking: int = 0
    """What is evaluated is only held against something: it is not used."""
    counters: set[str] = field(default_factory=set)
    """Names that loops count by: what they stand for is how far a run has come."""
    steps: int = 0
    seen: set[tuple[str, str, int]] = field(default_factory=set)
    limit: int = MOST_STEPS

    @property
    def open_loops(self) -> tuple[FollowedLoop, ...]:
        """Give the loops around this place of which two rounds stand for all."""
        return tuple(loop for loop in self.loops if not loop.in_full) if self.loops else ()

    @cached_property
    def arguments(self) -> Value:
        """Give `sys.argv`, always the same list, since programs change it."""
        return Value(list(self.argv))

    def step(self, count: int = 1) -> None:
        """Pay for work."""
        self.steps += count
        if self.steps > self.limit:
            raise BudgetSpent

    def about(self, kind: type[Held]) -> Held:
        """Give what one adapter keeps of this reading, in the dataclass that it keeps it in."""
        known = self.kept.get(kind)
        if known is None:
            known = self.kept[kind] = kind()
        return cast(Held, known)

    def record(
        self,
        name: str,
        args: list[Value],
        kwargs: Mapping[str, Value],
        spot: SourceLocation,
        owner: Value | None,
        result: Value,
    ) -> None:
        """Keep that a library's function was called here."""
        if self.copied and name.startswith(CHANGING) and not name.startswith("os.path."):
            self.untouched = dict(self.copied)
            self.touch_copies(name, [*args, *kwargs.values()])
        seen = (name, spot.path, spot.line)
        if self.again and seen in self.seen and self.unsure:
            return
        self.seen.add(seen)
        if len(self.events) < MOST_EVENTS:
            sure, loops, functions = self.unsure == 0, tuple(self.loops), tuple(self.functions[-8:])
            made = Event(name, list(args), dict(kwargs), spot, sure, loops, owner, result, functions, self.rivals > 0)
            self.events.append(made)

    def note_growth(self, items: list[Value]) -> None:
        """Keep that a list gets an item in each round of a loop of which it is not known how often it runs."""
        self.forget_length(items)
        if self.again or self.growing:
            self.grown[id(items)] = items

    def forget_length(self, items: list[Value]) -> None:
        """Drop how long a list was counted to be: something takes from it or puts into it."""
        self.lengths.pop(id(items), None)

    def hand_growth_on(self, made: Value, *sources: Value) -> None:
        """Keep of a list that is made from others that its length is as little known as theirs."""
        grows = any(id(source.data) in self.grown for source in sources)
        if grows and isinstance(made.data, (list, tuple, dict)):
            self.grown[id(made.data)] = made.data

    def counted_length(self, value: Value) -> Value | None:
        """Give how long a list is, be its items there or only counted."""
        if self.has_known_length(value):
            return Value(len(value.data), value.src)
        return self.lengths[id(value.data)][1] if id(value.data) in self.lengths else None

    def has_known_length(self, value: Value) -> bool:
        """Tell a list of which every item was seen."""
        return id(value.data) not in self.grown

    def place_of(self, path: str) -> str:
        """Name what is read at a path: what it is a copy of, where it is one."""
        return lies_at(self.repository, self.copied, path) or path

    def touch_copies(self, name: str, args: list[Value]) -> None:
        """Forget what the copies are that a call names which may change them."""
        is_open = name.startswith(("open", "io.open"))
        if is_open and not any(isinstance(arg.data, str) and set(arg.data) & set("wax+") for arg in args[1:]):
            return
        for arg in args[:1] if is_open else args:
            for part in arg.data if isinstance(arg.data, (list, tuple)) else [arg]:
                text = str(part.data)
                touch(self.repository, self.copied, posixpath.normpath(posixpath.join(self.workdir, text)), text)

    def find_file(self, name: str, *folders: str) -> str | None:
        """Find the first of some folders from which a path leads to a file, or to a copy of one."""
        found = self.repository.find_file(name, *folders)
        if found is None and self.copied:
            found = self.repository.find_file(self.place_of(posixpath.normpath(posixpath.join(folders[0], name))), ".")
        return found

    def read_text(self, path: str, largest: int = LARGEST_FILE, gap: Gap | None = None) -> str | None:
        """Read a file of the repository; why it cannot be read is noted, with what the reading lacks without it."""
        try:
            return self.repository.read_text(path, largest=largest)
        except NotReadable as error:
            self.note(str(error), gap)
            return None

    def offer(self, value: Value, kind: str = "") -> Value:
        """Keep options as a whole, for the fields to look into; of a kind, they are a configuration's."""
        self.namespaces.append(value)
        self.configs += [(kind, value)] if kind else []
        return value

    def note(self, text: str, gap: Gap | None = None) -> None:
        """Keep something that the reader of the answer should know, and what the reading lacks by it."""
        if text and text not in self.notes:
            self.notes.append(text)
        if text and gap is not None:
            self.gaps.setdefault(gap, text)

    def saw(self, name: str, value: Value) -> None:
        """Keep what a name with a meaning stood for when the code used it; a rate that a loop lowers as it began."""
        if name in self.interesting:
            known = self.reads.setdefault(name, [])
            if known and name in RATES and any(loop.round for loop in self.loops):
                return
            if not known or known[-1].data is not value.data:
                known.append(value)
