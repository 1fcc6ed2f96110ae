"""rl_games: a runner of reinforcement learning that is loaded with one configuration."""

from schedmate.readers.code.evidence.precision_words import keep_switch
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.value import Value, first, mapping_of


def read_rl_games(view: View) -> None:
    """Take what rl_games' runner is loaded with: its options stand under `params.config`."""
    if view.get("is_training") is False:
        return
    for event in view.of("rl_games.", "load"):
        loaded = event.arg(0) or Value(None)
        config = first(loaded, "params.config")
        if config is None or not isinstance(config.data, dict):
            continue
        for field_name, name in (
            ("learning_rate", "learning_rate"),
            ("batch_size", "minibatch_size"),
            ("epochs", "max_epochs"),
            ("learning_rate", "actor_lr"),
            ("batch_size", "batch_size"),
        ):
            view.number(field_name, config.data.get(name))
        keep_switch(view, config.data.get("mixed_precision"))
        model = first(loaded, "params.network.name", "params.algo.name")
        if model is not None:
            view.keep("model_name", model.data, model.src)
            view.keep("model_type", "mlp" if first(loaded, "params.network.cnn") is None else "cnn", model.src)
        view.keep("optimizer", "Adam", (event.spot,), "rl_games' agents are trained by Adam")


def tell_training(view: View) -> None:
    """Take whether `runner.run({"train": ...})` is told to train."""
    for event in view.of("rl_games.", "run"):
        value = mapping_of(event.arg(0)).get("train")
        if value is not None and isinstance(value.data, bool):
            view.keep("is_training", value.data, value.src or (event.spot,))


RULES = (
    Rule(Subject.IS_TRAINING, "rl_games", tell_training),
    Rule(Subject.CONFIGURATION, "rl_games", read_rl_games),
)
