"""The world above the interpreter: which models of libraries and configuration systems a reading is given."""

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType

from schedmate.readers.code import commandline, configs, frameworks, libraries
from schedmate.readers.code.commandline import record_parsers
from schedmate.readers.code.commandline.decorators import decorate
from schedmate.readers.code.commandline.environment_records import bound_arguments
from schedmate.readers.code.commandline.unmodelled import follow_unmodelled
from schedmate.readers.code.configs import config_objects, load_calls
from schedmate.readers.code.configs.config_objects import config_method
from schedmate.readers.code.configs.omegaconf_interpolation import interpolated
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.libraries.data_lengths import length_of, of_some, shown_by_loader
from schedmate.readers.code.libraries.data_shapes import side_of, sides_in
from schedmate.readers.code.libraries.dataclass_fields import told_of_fields
from schedmate.readers.code.libraries.layer_shapes import row_item, shown_by
from schedmate.readers.code.libraries.vocabularies import shown_by as shown_by_tokenizer
from schedmate.readers.code.libraries.vocabularies import words_of
from schedmate.readers.code.python.interpreter import PythonInterpreter
from schedmate.readers.code.signs.observer import TrainingObserver
from schedmate.readers.code.values.objects import Class, Function
from schedmate.readers.code.values.run import Hook, Run
from schedmate.readers.code.values.value import Value
from schedmate.tools.repository import Repository

ROOMS = (libraries, configs, commandline, frameworks)

MODELS = tuple(f"{room.__name__}.{found.name}" for room in ROOMS for found in iter_modules(room.__path__))
"""Every file of these rooms may model calls and propose values; no two of them claim one name."""


@lru_cache(maxsize=1)
def models() -> tuple[dict[str, Hook], dict[str, Hook], dict[str, Callable[[Run], Value]]]:
    """Collect the models: by full name, by the name's end, and values such as `sys.argv`."""
    exact: dict[str, Hook] = {}
    endings: dict[str, Hook] = {}
    values: dict[str, Callable[[Run], Value]] = {}
    for name in MODELS:
        module: ModuleType = import_module(name)
        exact.update(getattr(module, "HOOKS", {}))
        endings.update(getattr(module, "ENDINGS", {}))
        values.update(getattr(module, "VALUES", {}))
    return exact, endings, values


def hook_for(name: str) -> Hook | None:
    """Find the model of a function: by its full name, else by its last two parts, else by its last."""
    exact, endings, _ = models()
    if name in exact:
        return exact[name]
    parts = name.rsplit(".", 2)
    return endings.get(".".join(parts[-2:])) or endings.get(parts[-1])


def value_of(run: Run, name: str) -> Value | None:
    """Give a library's value that is known here, as `sys.argv`."""
    make = models()[2].get(name)
    return make(run) if make is not None else None


@lru_cache(maxsize=1)
def launch_readers() -> tuple[Callable[[Run, Launch], None], ...]:
    """Collect what frameworks read of the configurations that their launchers are told."""
    found = (getattr(import_module(name), "SETTLE_LAUNCH", None) for name in MODELS)
    return tuple(settle for settle in found if settle is not None)


def settle_launch(run: Run, launch: Launch) -> None:
    """Let frameworks settle what their launchers start."""
    for settle in launch_readers():
        settle(run, launch)


def stands_for(made: Function | Class) -> Hook | None:
    """Give the model of a repository's own copy of a library's function or class."""
    if isinstance(made, Class):
        return config_objects.stands_for(made)
    return load_calls.stands_for(made) or record_parsers.stands_for(made)


def shown(owner: Value, name: str) -> Value | None:
    """Give what a library's object shows of itself under a name."""
    return shown_by_tokenizer(owner, name) or shown_by_loader(owner, name) or shown_by(owner, name)


def counted(run: Run, value: Value) -> Value | None:
    """Give how long what a library made is: data, a loader, a tokenizer's words."""
    return words_of(value) or length_of(run, value)


class KnownLibraries:
    """What the interpreter is told of libraries."""

    hook_for = staticmethod(hook_for)
    value_of = staticmethod(value_of)
    decorated_by = staticmethod(decorate)
    follow_unmodelled = staticmethod(follow_unmodelled)
    config_method = staticmethod(config_method)
    length_of = staticmethod(counted)
    length_of_part = staticmethod(of_some)
    side_of = staticmethod(side_of)
    sides_in = staticmethod(sides_in)
    shown_by = staticmethod(shown)
    row_item = staticmethod(row_item)
    stands_for = staticmethod(stands_for)
    interpolated = staticmethod(interpolated)
    told_of_fields = staticmethod(told_of_fields)
    bound_arguments = staticmethod(bound_arguments)


def new_run(repository: Repository, argv: list[Value]) -> Run:
    """Start a reading with everything that is known."""
    interpreter, libraries, observer = PythonInterpreter(), KnownLibraries(), TrainingObserver()
    return Run(repository, argv, interpreter=interpreter, libraries=libraries, observer=observer)
