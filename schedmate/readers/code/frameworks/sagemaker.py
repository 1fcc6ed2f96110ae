"""SageMaker: an estimator runs its entry point on machines that are named by their kind."""

import posixpath

from schedmate.knowledge.instances import instances
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.objects import ExternalResult, SpawnedCommand
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import Value, held, is_constant, mapping_of

ESTIMATORS = ("PyTorch", "TensorFlow", "HuggingFace", "Estimator", "MXNet")


def run_entry_point(call: Call) -> Value | None:
    """Model `estimator.fit(...)`: the entry point is started with the hyperparameters as its options."""
    owner = call.owner
    if owner is None or not isinstance(owner.data, ExternalResult) or not owner.data.callee.startswith("sagemaker."):
        return None
    told = owner.data.kwargs
    entry, folder = told.get("entry_point"), told.get("source_dir")
    if entry is None or not isinstance(entry.data, str) or not entry.data.endswith(".py"):
        return None
    words = [*launcher(told), Value(posixpath.join(held(folder, str) or "", entry.data), entry.src)]
    for name, value in mapping_of(told.get("hyperparameters")).items():
        if is_constant(value):
            words += [Value(f"--{name}", value.src), Value(str(value.data), value.src)]
    call.run.about(ProcessSigns).commands.append(SpawnedCommand(Value(words, owner.src), call.spot))
    return Value(None)


def launcher(told: dict[str, Value]) -> list[Value]:
    """Write what SageMaker starts on each machine as a command line."""
    kind, machines, spread = told.get("instance_type"), told.get("instance_count"), told.get("distribution")
    name = str(kind.data).removeprefix("ml.") if kind is not None else ""
    count, _ = instances().get(name, (0, ""))
    if spread is None or not isinstance(spread.data, dict) or kind is None:
        return [Value("python", kind.src if kind is not None else ())]
    words = [Value("torchrun", spread.src)]
    if machines is not None and isinstance(machines.data, int):
        words.append(Value(f"--nnodes={machines.data}", machines.src))
    return [*words, Value(f"--nproc_per_node={count}" if count else "--nproc_per_node=gpu", kind.src)]


ENDINGS: dict[str, Hook] = {f"{name}.fit": run_entry_point for name in ESTIMATORS}
