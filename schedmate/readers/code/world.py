"""The world above the interpreter: which models of libraries and configuration systems a reading is given."""

from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from types import ModuleType

from schedmate.readers.code.commandline.decorators import decorate
from schedmate.readers.code.configs.gin import bound_arguments
from schedmate.readers.code.configs.loaders import stands_for
from schedmate.readers.code.configs.nodes import config_method
from schedmate.readers.code.python.interpreter import Python
from schedmate.readers.code.signs.observer import TrainingObserver
from schedmate.readers.code.values.run import Hook, Run
from schedmate.readers.code.values.value import Val
from schedmate.tools.repository import Repository

HERE = "schedmate.readers.code"
MODELS = (
    f"{HERE}.libraries.standard",
    f"{HERE}.libraries.paths",
    f"{HERE}.libraries.folders",
    f"{HERE}.libraries.environment",
    f"{HERE}.libraries.mappings",
    f"{HERE}.libraries.texts",
    f"{HERE}.frameworks.torch",
    f"{HERE}.frameworks.collectives",
    f"{HERE}.frameworks.lightning",
    f"{HERE}.frameworks.lightning_cli",
    f"{HERE}.frameworks.graphgym",
    f"{HERE}.frameworks.submitit",
    f"{HERE}.frameworks.ray",
    f"{HERE}.frameworks.sagemaker",
    f"{HERE}.frameworks.jax",
    f"{HERE}.frameworks.transformers",
    f"{HERE}.frameworks.detectron2",
    f"{HERE}.frameworks.speechbrain",
    f"{HERE}.frameworks.tensorflow",
    f"{HERE}.frameworks.accelerate",
    f"{HERE}.frameworks.deepspeed",
    f"{HERE}.frameworks.colossalai",
    f"{HERE}.frameworks.composer",
    f"{HERE}.frameworks.ultralytics",
    f"{HERE}.frameworks.coqui",
    f"{HERE}.frameworks.sentence_transformers",
    f"{HERE}.frameworks.mmengine",
    f"{HERE}.frameworks.rl_games",
    f"{HERE}.frameworks.rsl_rl",
    f"{HERE}.frameworks.fastai",
    f"{HERE}.frameworks.stable_baselines3",
    f"{HERE}.configs.choices",
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
def models() -> tuple[dict[str, Hook], dict[str, Hook], dict[str, Callable[[Run], Val]]]:
    """Collect the models: by full name, by the name's end, and values such as `sys.argv`."""
    exact: dict[str, Hook] = {}
    endings: dict[str, Hook] = {}
    values: dict[str, Callable[[Run], Val]] = {}
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


def value_of(run: Run, name: str) -> Val | None:
    """Give a library's value that is known here, as `sys.argv`."""
    make = models()[2].get(name)
    return make(run) if make is not None else None


class KnownLibraries:
    """What the interpreter is told of libraries."""

    hook_for = staticmethod(hook_for)
    value_of = staticmethod(value_of)
    decorated_by = staticmethod(decorate)
    config_method = staticmethod(config_method)
    stands_for = staticmethod(stands_for)
    bound_arguments = staticmethod(bound_arguments)


def new_run(repository: Repository, argv: list[Val]) -> Run:
    """Start a reading with everything that is known."""
    return Run(repository, argv, Python(), KnownLibraries(), TrainingObserver())
