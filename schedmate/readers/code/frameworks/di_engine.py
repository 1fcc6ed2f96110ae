"""DI-engine: agents that are trained by two mappings in Python, what they do and of which registered parts."""

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.values.nested import copied, deepen
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Value, first, sequence_of

PIPELINES = ("serial_pipeline", "serial_pipeline_onpolicy", "serial_pipeline_offline", "serial_pipeline_dqfd")


def compile_settings(call: Call) -> Value | None:
    """Model `compile_config`: the program's own settings over defaults of the policy, which stay open."""
    value = call.arg(0, "cfg")
    if value is None or not isinstance(value.data, dict):
        return None
    return call.run.offer(deepen(copied(value)))


def run_pipeline(call: Call) -> Value:
    """Model `serial_pipeline((main_config, create_config), seed=0)`: what it is handed are the job's settings."""
    pair = sequence_of(call.arg(0, "input_cfg"))
    if pair and isinstance(pair[0].data, dict):
        call.run.offer(deepen(copied(pair[0])))
    return call.made()


def make_policy(call: Call) -> Value | None:
    """Model `create_policy`: what it makes keeps the settings that it is given."""
    kept = dict.fromkeys(("_cfg", "cfg"), call.args[0]) if call.args else {}
    return call.made(kept)


def tell_policy(view: View) -> None:
    """Name the model after the policy that the second mapping asks for, as DI-engine's registry has it."""
    for event in view.events:
        made = event.kwargs.get("create_cfg") if event.name == "ding.config.compile_config" else None
        is_pipeline = event.short in PIPELINES and event.name.startswith("ding.")
        handed = sequence_of(event.arg(0, "input_cfg")) if is_pipeline else ()
        made = handed[1] if len(handed) > 1 else made
        policy = first(made, "policy.type") if made is not None else None
        if policy is not None and isinstance(policy.data, str):
            view.keep("model_name", policy.data.removesuffix("_command"), policy.src or (event.spot,))


HOOKS: dict[str, Hook] = {
    "ding.config.compile_config": compile_settings,
    "ding.policy.create_policy": make_policy,
    **{f"ding.entry.{name}": run_pipeline for name in PIPELINES},
}
RULES = (Rule(Subject.MODEL, "DI-engine", tell_policy),)
