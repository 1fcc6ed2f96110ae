"""Frameworks that train from a configuration alone: MMEngine and its forerunner, Detectron2."""

from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.frameworks.detectron2 import read_detectron
from schedmate.readers.code.frameworks.mmengine import read_mm_data, read_mm_model, read_mm_scope, read_mmengine
from schedmate.readers.code.frameworks.rl_games import read_rl_games
from schedmate.readers.code.frameworks.rsl_rl import read_rsl_rl
from schedmate.readers.code.launchers.ranks import started_in_ranks


def read_runner_config(view: View) -> None:
    """Take the fields of a configuration that such a framework was started with."""
    if view.get("is_training") is not False:
        read_rl_games(view)
        read_rsl_rl(view)
    for kind, config in view.run.configs:
        if not isinstance(config.data, dict):
            continue
        if kind.endswith("Config.fromfile") and "model" in config.data:
            if view.get("is_training") is not False:
                read_mmengine(view, config)
            read_mm_model(view, config)
            read_mm_scope(view, config)
            read_mm_data(view, config)
            if not started_in_ranks(view.launch):
                view.keep("num_gpus", 1, view.command_spot, "a runner that is no distributed one takes one device")
        elif kind == "detectron2":
            read_detectron(view, config)
