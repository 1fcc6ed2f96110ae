"""Models of the libraries that programs settle their work with: what a call means, without ever importing them."""

from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING, Any

from schedmate.readers.code.natives import Hook
from schedmate.readers.code.things import Made
from schedmate.readers.code.values import Val

if TYPE_CHECKING:
    from collections.abc import Callable

    from schedmate.readers.code.python.run import Run

HERE = "schedmate.readers.code"
MODELS = (
    f"{HERE}.libraries.standard",
    f"{HERE}.libraries.paths",
    f"{HERE}.libraries.folders",
    f"{HERE}.libraries.environment",
    f"{HERE}.libraries.mappings",
    f"{HERE}.libraries.texts",
    f"{HERE}.libraries.torch",
    f"{HERE}.libraries.collectives",
    f"{HERE}.libraries.trainers",
    f"{HERE}.libraries.lightning",
    f"{HERE}.libraries.lightning_cli",
    f"{HERE}.libraries.graphgym",
    f"{HERE}.libraries.accelerators",
    f"{HERE}.libraries.submitit",
    f"{HERE}.libraries.ray",
    f"{HERE}.libraries.sagemaker",
    f"{HERE}.libraries.jax",
    f"{HERE}.libraries.choices",
    f"{HERE}.commandline.argparse",
    f"{HERE}.commandline.ready_parsers",
    f"{HERE}.commandline.click",
    f"{HERE}.commandline.functions",
    f"{HERE}.commandline.record_parsers",
    f"{HERE}.commandline.flags",
    f"{HERE}.configs.interpolation",
    f"{HERE}.configs.loaders",
    f"{HERE}.configs.ini",
    f"{HERE}.configs.gin",
    f"{HERE}.configs.hydra",
    f"{HERE}.configs.hydra_words",
    f"{HERE}.configs.sacred",
    f"{HERE}.configs.instantiation",
    f"{HERE}.configs.nodes",
    f"{HERE}.configs.hyperpyyaml",
)


@lru_cache(maxsize=1)
def hooks() -> tuple[dict[str, Hook], dict[str, Hook], dict[str, "Callable[[Run], Val]"]]:
    """Collect the models: by full name, by the name's end, and values such as `sys.argv`."""
    exact: dict[str, Hook] = {}
    endings: dict[str, Hook] = {}
    values: dict[str, Callable[[Run], Val]] = {}
    for name in MODELS:
        module: Any = import_module(name)
        exact.update(getattr(module, "HOOKS", {}))
        endings.update(getattr(module, "ENDINGS", {}))
        values.update(getattr(module, "VALUES", {}))
    return exact, endings, values


def hook_for(name: str) -> Hook | None:
    """Find the model of a function: by its full name, else by its last two parts, else by its last."""
    exact, endings, _ = hooks()
    if name in exact:
        return exact[name]
    parts = name.rsplit(".", 2)
    return endings.get(".".join(parts[-2:])) or endings.get(parts[-1])


def library_value(run: "Run", name: str) -> Val | None:
    """Give a library's value that is known here, as `sys.argv`."""
    make = hooks()[2].get(name)
    return make(run) if make is not None else None


def decorated_by(run: "Run", decorator: Made, value: Val) -> Val:
    """Apply a library's decorator: the command-line makers wrap what they decorate, all others leave it."""
    from schedmate.readers.code.commandline.decorators import decorate

    return decorate(run, decorator, value)
