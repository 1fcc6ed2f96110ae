"""rsl_rl: the runner by which Isaac Gym and Isaac Lab train simulated robots."""

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.objects import Instance
from schedmate.readers.code.values.value import Value, first, join_spots, product


def read_rsl_rl(view: View) -> None:
    """Take what rsl_rl's runner is made with; in an iteration each environment makes `num_steps_per_env` steps."""
    if view.get("is_training") is False:
        return
    for event in view.of("rsl_rl.", "OnPolicyRunner"):
        if len(event.args) < 2:
            continue
        config = event.args[1]
        view.number("learning_rate", first(config, "algorithm.learning_rate"))
        name = first(config, "runner.algorithm_class_name", "algorithm.class_name", "class_name")
        if name is not None and isinstance(name.data, str):
            view.keep("model_name", name.data, name.src or (event.spot,))
        memory = first(config, "runner.policy_class_name", "policy.class_name")
        layers = "rnn" if memory is not None and "Recurrent" in str(memory.data) else "mlp"
        view.keep("model_type", f"rl ({layers})", memory.src if memory is not None and memory.src else (event.spot,))
        view.keep("optimizer", "Adam", (event.spot,), "rsl_rl's PPO is trained by Adam")
        count_rollouts(view, event, config)
        view.rule_out("epochs")


def count_rollouts(view: View, event: Event, config: Value) -> None:
    """Work out the mini-batch and the environment steps from environments, steps and iterations."""
    steps = first(config, "runner.num_steps_per_env", "num_steps_per_env")
    samples, parts = product(environments_of(view, event.args[0]), steps), first(config, "algorithm.num_mini_batches")
    if samples is not None and parts is not None and type(parts.data) is int and parts.data > 0:
        spots = join_spots(samples, parts)
        view.keep("batch_size", samples.data // parts.data, spots, "environments x steps, in mini-batches")
    for told in view.of("rsl_rl.", "learn"):
        rounds = product(told.arg(0, "num_learning_iterations"), samples)
        view.number("total_steps", rounds, "iterations x environments x steps")


def environments_of(view: View, environment: Value) -> Value | None:
    """Give how many environments run side by side: the object's own count, or its configuration's."""
    if isinstance(environment.data, Instance):
        for key in ("num_envs", "cfg.env.num_envs", "cfg.scene.num_envs"):
            node: Value | None = environment
            for part in key.split("."):
                attrs = node.data.attrs if node is not None and isinstance(node.data, Instance) else None
                node = attrs.get(part) if attrs is not None else None
            if node is not None and type(node.data) is int:
                return node
    asked = next((mapping["num_envs"] for mapping in view.namespaces if "num_envs" in mapping), None)
    return asked if asked is not None and type(asked.data) is int else None


RULES = (Rule(Subject.CONFIGURATION, "rsl_rl", read_rsl_rl),)
