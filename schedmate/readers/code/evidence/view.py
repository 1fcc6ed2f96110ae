"""What following a program showed, arranged so that the fields can ask for it."""

import posixpath
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar, cast

from schedmate.knowledge.evaluation_words import tells_evaluation
from schedmate.knowledge.libraries import KNOWN_LIBRARIES
from schedmate.knowledge.option_names import field_of_name, squashed
from schedmate.readers.code.configs.files import ConfigFiles, load_unread
from schedmate.readers.code.evidence.config_sections import chosen_mappings, flattened, spots_for_evaluation
from schedmate.readers.code.evidence.places_of_evaluation import is_given_to_evaluation, is_module_of_evaluation
from schedmate.readers.code.evidence.probes import without_probes
from schedmate.readers.code.evidence.proposals import Proposals
from schedmate.readers.code.evidence.training_calls import drives_optimizer, trains, without_states
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.libraries.argument_words import is_told, told_words, word_text
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.reasons import Reason
from schedmate.readers.code.values.run import Run
from schedmate.readers.code.values.run_state import Gap
from schedmate.readers.code.values.scopes import Module
from schedmate.readers.code.values.value import (
    COMMAND,
    Attributes,
    External,
    Items,
    SourceLocation,
    Unknown,
    Value,
    is_constant,
    is_unknown_by,
    ways_of,
)


@dataclass
class Program:
    """A program that the command starts, and what following it showed."""

    launch: Launch
    run: Run
    command: str
    found: bool = False
    entry: SourceLocation | None = None
    main: Module = field(default_factory=lambda: Module("", "", "."))
    complete: bool = False
    notes: list[str] = field(default_factory=list)


Result = TypeVar("Result")


@dataclass
class View(Proposals):
    """The program as the fields see it; `values` collects what was found, since later fields build on earlier ones."""

    program: Program
    worked_out: dict[Callable[..., object], object] = field(default_factory=dict, init=False)

    def once(self, work: "Callable[[View], Result]") -> "Result":
        """Work something out of this program that several rules ask for, when it is first asked for."""
        if work not in self.worked_out:
            self.worked_out[work] = work(self)
        return cast("Result", self.worked_out[work])

    @property
    def launch(self) -> Launch:
        """Give what the launchers said."""
        return self.program.launch

    @property
    def run(self) -> Run:
        """Give what was followed."""
        return self.program.run

    @cached_property
    def events(self) -> list[Event]:
        """Give the calls on the path, those that are sure first."""
        events = self.run.events
        return [event for event in events if event.sure] + [event for event in events if not event.sure]

    def named(self, *shorts: str) -> list[Event]:
        """Give the calls whose name ends with one of these parts."""
        return [event for event in self.events if event.short in shorts]

    def of(self, library: str | tuple[str, ...], *shorts: str) -> list[Event]:
        """Give the calls of a library, of these names if any are given."""
        events = self.named(*shorts) if shorts else self.events
        return [event for event in events if event.name.startswith(library)]

    def ending(self, *ends: str) -> list[Event]:
        """Give the calls whose dotted name ends so."""
        return [event for event in self.events if event.name.endswith(ends)]

    def options(self, field_name: str) -> list[tuple[int, Value]]:
        """Give the values of options that mean a field, the most telling name first: of those used, else of all."""
        if any(is_unknown_by(value, Reason.SEARCHED) for value in self.read(field_name)):
            return []
        ranked: list[tuple[int, Value]] = []
        aside: list[tuple[int, Value]] = []
        for name, values in self.run.reads.items():
            known = meaning(name)
            if known is not None and known[0] == field_name and not self.is_counter(name):
                usable = [value for value in values if is_constant(value) or isinstance(value.data, list)]
                usable = [value for value in usable if self.is_for_training(value) and not self.is_of_evaluation(value)]
                for_training = [value for value in usable if not self.is_set_aside(value)]
                if usable:
                    chosen = self.as_told(name, self.most_telling(name, for_training or usable))
                    (ranked if for_training else aside).append((known[1], chosen))
        ranked = ranked or aside
        # What was read says little of a program that was followed in part: what it defines counts beside it.
        if not ranked or self.is_partial:
            ranked = ranked + self.declared(field_name)
        elif not any(self.is_told(value) for _, value in ranked):
            ranked += [pair for pair in self.declared(field_name) if self.is_told(pair[1]) and not is_aside(pair[1])]
        settled = [pair for pair in ranked if not isinstance(pair[1].data, Unknown)]
        return sorted(settled, key=lambda pair: (pair[0], not self.is_told(pair[1])))

    @cached_property
    def for_evaluation(self) -> set[SourceLocation]:
        """Give the places of a configuration's values that only an evaluation reads."""
        return spots_for_evaluation([value.data for _, value in self.run.configs if isinstance(value.data, dict)])

    def is_of_evaluation(self, value: Value) -> bool:
        """Tell what a job that trains has from a module that is named after evaluation, or gives to one."""
        if self.get("is_training") is not True or not value.src or self.program.entry is None:
            return False
        paths = {spot.path for spot in value.src}
        if self.program.entry.path not in paths and all(map(is_module_of_evaluation, paths)):
            return True
        return type(value.data) is int and all(is_given_to_evaluation(self.run, spot) for spot in value.src)

    def is_set_aside(self, value: Value) -> bool:
        """Tell what a job that trains sets for its evaluation."""
        return self.get("is_training") is True and not self.set_aside.isdisjoint(value.src)

    @cached_property
    def set_aside(self) -> set[SourceLocation]:
        """Give the places where only options stand that by their names are for evaluation."""
        options = [*self.told.items(), *(pair for mapping in self.namespaces for pair in flattened(mapping))]
        places: dict[bool, set[SourceLocation]] = {True: set(), False: set()}
        for name, value in options:
            places[not tells_evaluation(str(name))].update(value.src)
        return places[False] - places[True]

    def is_counter(self, name: str) -> bool:
        """Tell a word that schedulers and loops count with, where no option has it for a name."""
        return name == "batch" and name not in self.told and not any(name in mapping for mapping in self.namespaces)

    @property
    def is_whole(self) -> bool:
        """Tell a path that was followed to its end, with nothing left out that is in the repository."""
        return self.program.complete and Gap.PATH not in self.run.gaps

    @property
    def is_partial(self) -> bool:
        """Tell a path of which a part was not seen, were it the trainer of a library that nobody here knows."""
        return self.trains_out_of_sight or not self.is_whole

    def as_told(self, name: str, value: Value) -> Value:
        """Let the command's own word on an option win over a value that does not come from it."""
        told = self.told.get(name)
        wins = told is not None and set(told.src).isdisjoint(value.src) and not self.is_told(value)
        return told if told is not None and wins else value

    def is_told(self, value: Value) -> bool:
        """Tell a value that the command gave: on the line itself, in a script or in a task file."""
        return is_told(value) or any(spot.path and spot.path == self.launch.spot.path for spot in value.src)

    @cached_property
    def told(self) -> dict[str, Value]:
        """Give what the program's words say of options, by the options' names."""
        return told_words(self.launch.words[1:])

    def said(self, field_name: str) -> list[Value]:
        """Give the words of the command whose names mean a field, whatever the program does with them."""
        return [value for name, value in self.told.items() if (meaning(name) or ("",))[0] == field_name]

    def hangs_on_command(self, field_name: str) -> bool:
        """Tell a field that an option of the command sets to a variable which is not set there."""
        said = self.said(field_name)
        return bool(said) and all(isinstance(value.data, Unknown) for value in said)

    def read(self, field_name: str) -> list[Value]:
        """Give every value that was read under a name that means a field."""
        named = (values for name, values in self.run.reads.items() if (meaning(name) or ("",))[0] == field_name)
        return [value for values in named for value in values]

    def all_read(self, field_name: str) -> list[Value]:
        """Give every known value that was read under an option of a field, and what an open one may be."""
        ways = [way for value in self.read(field_name) for way in ways_of(value)]
        return [way for way in ways if is_constant(way) or isinstance(way.data, External)]

    def most_telling(self, name: str, values: list[Value]) -> Value:
        """Choose among the values that were read under one name: an option's, unless the last was made from it.

        Beside numbers that the code gives by itself, what the command gave counts.
        """
        options = {id(mapping[name]) for mapping in self.namespaces if name in mapping}
        told = next((value for value in reversed(values) if self.is_told(value)), values[-1])
        chosen = next((value for value in reversed(values) if id(value) in options), told)
        return values[-1] if set(chosen.src).intersection(values[-1].src) else chosen

    def declared(self, field_name: str) -> list[tuple[int, Value]]:
        """Give the values of options that mean a field among all that the program defines."""
        ranked = []
        for mappings in (self.namespaces, self.chosen_configs):
            for mapping in mappings:
                for name, value in flattened(mapping):
                    known = meaning(name) or meaning(name.rpartition(".")[2])
                    if known is not None and known[0] == field_name and self.is_for_training(value):
                        ranked.append((known[1], self.as_told(name, value)))
            if ranked:
                break
        return ranked

    def is_for_training(self, value: Value) -> bool:
        """Tell a value from one that stands in a section for evaluation alone."""
        return not value.src or not self.for_evaluation.issuperset(value.src)

    @cached_property
    def chosen_configs(self) -> list[Items]:
        """Give the configurations that were loaded from files which the command names, and those that they build on."""
        texts = [self.program.command, *(word_text(word) for word in self.launch.words)]
        if self.is_partial or not self.namespaces:  # else the program reads its options itself
            load_unread(self.run, texts)
        files = self.run.about(ConfigFiles).read
        return chosen_mappings(texts, files, [value for _, value in self.run.configs])

    def option(self, field_name: str) -> Value | None:
        """Give the value of the most telling option of a field."""
        return next((value for _, value in self.options(field_name) if value.data is not None), None)

    @cached_property
    def namespaces(self) -> list[Items | Attributes]:
        """Give every mapping of options that the program made."""
        found: list[Items | Attributes] = []
        for value in self.run.namespaces:
            data = value.data
            if isinstance(data, (Instance, ExternalResult)):
                found.append(data.attrs)
            elif isinstance(data, dict):
                found.append(data)
        return found

    @cached_property
    def training(self) -> list[Event]:
        """Give the calls that only training makes; what evaluations train for themselves is left out."""
        return without_probes(without_states([event for event in self.events if trains(event)], self.events))

    @cached_property
    def trains_out_of_sight(self) -> bool:
        """Tell training of which nothing is seen but that something outside is told to do it: `trainer.train()`."""
        told = [
            not is_known(event.name) and (event.short in ("train", "fit") or drives_optimizer(event))
            for event in self.training
        ]
        return bool(told) and all(told)

    @cached_property
    def imports(self) -> set[str]:
        """Give the libraries that the followed files import, by their first name."""
        return {name.partition(".")[0] for name in self.run.imports}

    def import_spot(self, *names: str) -> tuple[SourceLocation, ...]:
        """Give the line that imports one of these libraries."""
        for name, spot in self.run.imports.items():
            if any(name == wanted or name.startswith(f"{wanted}.") for wanted in names):
                return (spot,)
        return ()

    def is_in_use(self, library: str) -> bool:
        """Tell a library from one that only parts import of which no more was seen than what they define.

        A package that goes through its folder imports all its parts, to choose one, and what the others need.
        """
        if any(event.name.startswith(f"{library}.") for event in self.events):
            return True
        spots = [spot for name, spot in self.run.imports.items() if f"{name}.".startswith(f"{library}.")]
        used = {event.spot.path for event in self.events} | {value.data.cls.spot.path for value in self.run.instances}
        used |= {self.program.entry.path} if self.program.entry is not None else set()
        return any(spot.path in used or not self.is_gathered(spot.path) for spot in spots)

    def is_gathered(self, path: str) -> bool:
        """Tell a module of a package that imports all that lies in its folder."""
        text = self.run.repository.glimpse(f"{posixpath.dirname(path)}/__init__.py")
        return any(word in text for word in ("listdir(", "iter_modules(", "walk_packages(", "glob("))

    @property
    def command_spot(self) -> tuple[SourceLocation, ...]:
        """Give the command itself as a place."""
        if self.launch.spot.path and self.launch.spot.path != COMMAND:
            return (self.launch.spot,)
        return (SourceLocation(COMMAND, 1, self.program.command.strip().split("\n")[0][:300]),)


def is_known(name: str) -> bool:
    """Tell a call of a library whose ways are known."""
    return name.partition(".")[0] in KNOWN_LIBRARIES


def meaning(name: str) -> tuple[str, int] | None:
    """Give the field that an option's name means, with its rank among the field's names."""
    return field_of_name().get(squashed(name))


def is_aside(value: Value) -> bool:
    """Tell an option that the command sets for evaluation: `--eval_data.batch_size=8`."""
    return any(tells_evaluation(spot.quote) for spot in value.src)


def keep_default(view: View, field_name: str, event: Event, value: object, default: str) -> None:
    """Keep what the library does where it is told nothing; an option of that meaning on the command may tell it."""
    if "**" not in event.kwargs and (field_name != "learning_rate" or not view.said(field_name)):
        note = f"default of {default}"
        view.keep(field_name, value, (event.spot._replace(quote="").as_default(note),), note)
