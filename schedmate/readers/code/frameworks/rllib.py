"""RLlib: algorithms that are told all by one configuration: chained calls, a mapping, or what Ray Tune is handed."""

from collections.abc import Iterator
from dataclasses import dataclass, field

import re2

from schedmate.knowledge.reinforcement import algorithm_of
from schedmate.knowledge.trainers import library_config
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View, keep_default
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import Class, ExternalResult, Instance
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import Config, External, Items, Value, find_in, is_constant, mapping_of

HOMES = ("ray.rllib.agents.", "ray.rllib.algorithms.")
PARTS = re2.compile(r"^([A-Z]\w*?)(?:Trainer|Config)?$")
BASES = frozenset({"Algorithm", "Trainer", "", "DEFAULT_CONFIG", "AlgorithmConfig"})

OTHERS = frozenset({"PG", "ES", "APPO", "MARWIL", "SimpleQ", "APEX_DDPG", "SlateQ", "CRR", "DT", "MADDPG"})
"""Algorithms that RLlib knows by these names, beside those that are known everywhere."""
MODULES = (
    "ppo",
    "dqn",
    "sac",
    "impala",
    "a3c",
    "ddpg",
    "pg",
    "es",
    "ars",
    "marwil",
    "cql",
    "qmix",
    "maddpg",
    "dreamer",
)
RATES = (
    "lr", "actor_lr", "critic_lr", "optimization.actor_learning_rate", "optimization.critic_learning_rate"
)  # fmt: skip
BATCHES = ("minibatch_size", "sgd_minibatch_size", "train_batch_size", "train_batch_size_per_learner")
STEPS = ("timesteps_total", "env_runners/num_env_steps_sampled_lifetime", "num_env_steps_sampled_lifetime")
CHAINED = ("training", "environment", "framework", "resources", "learners", "env_runners", "rollouts", "experimental")
TENSORFLOW, TORCH = ("tf", "tf2", "tfe", "tensorflow"), ("torch", "pytorch")


@dataclass
class ToldAlgorithm:
    """An algorithm of RLlib, where the program names it, and all that it is told."""

    name: str
    spot: Event
    options: Items = field(default_factory=dict)
    stop: Value | None = None
    home: str = ""


def told_algorithm(view: View) -> ToldAlgorithm | None:
    """Give the algorithm that the program trains: the first that is named, with what all calls tell of it."""
    found: ToldAlgorithm | None = None
    for event in view.events:
        for told in named_in(event):
            found = found or ToldAlgorithm(told.name, event, home=told.home)
            found.options = {**told.options, **found.options}
            found.stop = found.stop or told.stop
    return found


def named_in(event: Event) -> Iterator[ToldAlgorithm]:
    """Give the algorithms that one call names, with what it tells of them."""
    home = next((home for home in HOMES if event.name.startswith(home)), "")
    if home:
        parts = event.name.removeprefix(home).split(".")
        name = next((name for part in parts if (name := algorithm_in(part))), "")
        if name and parts[-1] in CHAINED:
            yield ToldAlgorithm(name, event, chained(event), home=home)
        elif name and not parts[-1].endswith("Config") and algorithm_in(parts[-1]):
            config, world = event.arg(0, "config"), event.arg(1, "env")
            env: Items = {"env": world} if world is not None else {}
            yield ToldAlgorithm(name, event, {**mapping_of(config), **env}, home=home)
    elif event.name.startswith("ray.tune."):
        yield from named_to_tune(event)


def algorithm_in(part: str) -> str:
    """Give the algorithm of a class's name: `PPO`, `PPOTrainer` and `PPOConfig` are one."""
    found = PARTS.match(part)
    return found.group(1) if found is not None and found.group(1) not in BASES else ""


def chained(event: Event) -> Items:
    """Give what one call of a chained configuration tells, under the names that a mapping has."""
    told: Items = {key: value for key, value in event.kwargs.items() if key != "**"}
    first = {"environment": "env", "framework": "framework"}.get(event.short)
    if first is not None and event.args:
        told[first] = event.args[0]
    return told


def named_to_tune(event: Event) -> Iterator[ToldAlgorithm]:
    """Give the algorithm that Ray Tune is handed by name or class, with its settings and when to stop."""
    if event.short == "run_experiments":
        for settings in mapping_of(event.arg(0, "experiments")).values():
            name, home = tuned(mapping_of(settings).get("run"))
            if name:
                options = dict(mapping_of(find_in(settings, "config")))
                if (world := find_in(settings, "env")) is not None:
                    options["env"] = world
                yield ToldAlgorithm(name, event, options, find_in(settings, "stop"), home)
        return
    target = event.arg(0, "run_or_experiment", "trainable") if event.short in ("run", "Tuner") else None
    name, home = tuned(target)
    if not name:
        return
    config = event.kwargs.get("config") or event.kwargs.get("param_space")
    after = event.kwargs.get("run_config")
    outer = after.data.kwargs.get("stop") if after is not None and isinstance(after.data, ExternalResult) else None
    yield ToldAlgorithm(name, event, dict(mapping_of(config)), event.kwargs.get("stop") or outer, home)


def tuned(target: Value | None) -> tuple[str, str]:
    """Name the algorithm that Ray Tune is handed, and where it comes from; none for what is the program's own."""
    data = target.data if target is not None else None
    if isinstance(data, ExternalResult) and data.short in (
        "get_trainer_class",
        "get_agent_class",
        "get_algorithm_class",
    ):
        data = data.args[0].data if data.args else None
    home = next((home for home in HOMES if isinstance(data, External) and data.name.startswith(home)), "")
    if isinstance(data, External) and home:
        return algorithm_in(data.name.rpartition(".")[2]), home
    known = isinstance(data, str) and (data in OTHERS or algorithm_of(data) is not None)
    return str(data) if known else "", ""


def tell_training(view: View) -> None:
    """Ray Tune trains the algorithm that it is handed."""
    for event in view.events:
        if event.name.startswith("ray.tune.") and any(True for _ in named_to_tune(event)):
            view.keep("is_training", True, (event.spot,))


def read_rllib(view: View) -> None:
    """Take rate, batch, GPUs and steps of the algorithm's configuration; where it says nothing, its defaults."""
    told = view.once(told_algorithm)
    if told is None:
        return
    defaults = library_config(f"ray.rllib.{told.name}")
    for name, keys in (("learning_rate", RATES), ("batch_size", BATCHES)):
        given = [value for key in keys if (value := option(told, key)) is not None]
        for value in given:
            view.number(name, value)
        if given and not view.knows(name):
            view.unsettled.add(name)
        elif not given and name in defaults:
            keep_default(view, name, told.spot, defaults[name], f"{told.name}: {name} = {defaults[name]}")
    if told.name not in ("ES", "ARS"):
        keep_default(view, "optimizer", told.spot, "Adam", f"{told.name}: Adam")
    for key in STEPS:
        view.number("total_steps", find_in_stop(told.stop, key))
    count_gpus(view, told)
    view.rule_out("total_steps")
    view.rule_out("epochs")


def option(told: ToldAlgorithm, key: str) -> Value | None:
    """Give an option that is told, by its dotted key; one that is None is not."""
    value = find_in(Value(told.options), key)
    return value if value is not None and value.data is not None else None


def find_in_stop(stop: Value | None, key: str) -> Value | None:
    """Give what ends the training: the key may have dots or slashes in it."""
    return mapping_of(stop).get(key)


def count_gpus(view: View, told: ToldAlgorithm) -> None:
    """Take the GPUs of the process that learns, or of all learners; where nothing is told of them they stay open."""
    learners, each = option(told, "num_learners"), option(told, "num_gpus_per_learner")
    gpus = option(told, "num_gpus")
    if each is not None and type(each.data) is int:
        many = learners.data if learners is not None and type(learners.data) is int and learners.data > 0 else 1
        view.keep("num_gpus", many * each.data, each.src or (told.spot.spot,), "learners x GPUs of each")
    elif gpus is not None and type(gpus.data) is int:
        view.keep("num_gpus", gpus.data, gpus.src or (told.spot.spot,))
    view.rule_out("num_gpus")


def name_framework(view: View) -> None:
    """Name RLlib with what computes beneath it: what it is told, else what was its default in those days."""
    told = view.once(told_algorithm)
    if told is None:
        return
    chosen = option(told, "framework") or option(told, "framework_str")
    word = str(chosen.data).lower() if chosen is not None and is_constant(chosen) else ""
    torch = option(told, "use_pytorch")
    if word in TORCH or (torch is not None and torch.data is True):
        beneath = ", PyTorch"
    elif word in TENSORFLOW or (chosen is None and (told.home == HOMES[0] or "tensorflow" in view.imports)):
        beneath = ", TensorFlow"
    else:
        beneath = ", PyTorch" if chosen is None and (told.home or "torch" in view.imports) else ""
    view.keep("framework", f"Ray RLlib{beneath}", (told.spot.spot,))


def name_algorithm(view: View) -> None:
    """Name the agent after its algorithm, and what it is by the kind of network that it is told."""
    told = view.once(told_algorithm)
    if told is None:
        return
    view.keep("model_name", told.name, (told.spot.spot,))
    model = option(told, "model")
    layers = "rnn" if model is not None and is_on(find_in(model, "use_lstm")) else ""
    layers = layers or ("mlp" if model is not None and find_in(model, "fcnet_hiddens") is not None else "")
    if layers and model is not None:
        view.keep("model_type", f"rl ({layers})", model.src or (told.spot.spot,))


def is_on(value: Value | None) -> bool:
    """Tell a switch that is on."""
    return value is not None and value.data is True


def name_environment(view: View) -> None:
    """Name the environment: by the name under which it is registered or known, or by its class."""
    told = view.once(told_algorithm)
    world = option(told, "env") if told is not None else None
    if told is None or world is None:
        return
    data = world.data
    if isinstance(data, External):
        data = data.name.rpartition(".")[2]
    elif isinstance(data, (Class, Instance)):
        data = data.name if isinstance(data, Class) else data.cls.name
    if isinstance(data, str):
        view.keep("dataset_name", data, world.src or (told.spot.spot,))


def name_task(view: View) -> None:
    """An algorithm of RLlib learns by reinforcement."""
    told = view.once(told_algorithm)
    if told is not None:
        view.keep("task", "RL", (told.spot.spot,))


def give_settings(call: Call) -> Value | None:
    """Model `with_common_config(settings)`: what is not set has RLlib's defaults."""
    return Value(Config(dict(call.need(0, "extra_config", dict).data)), call.args[0].src if call.args else (call.spot,))


HOOKS: dict[str, Hook] = by_names(
    "ray.rllib.agents.with_common_config ray.rllib.agents.trainer.with_common_config", give_settings
)
VALUES = {
    f"{home}{module}.{inner}DEFAULT_CONFIG": lambda _: Value(Config({}))
    for home in HOMES
    for module in MODULES
    for inner in ("", f"{module}.")
}
RULES = (
    Rule(Subject.IS_TRAINING, "RLlib", tell_training),
    Rule(Subject.FRAMEWORK, "RLlib", name_framework),
    Rule(Subject.TRAINER, "RLlib", read_rllib),
    Rule(Subject.MODEL, "RLlib", name_algorithm),
    Rule(Subject.DATA, "RLlib", name_environment),
    Rule(Subject.TASK, "RLlib", name_task),
)
