"""Ray: what is sent to its workers is followed as if it ran here; trainers say on how many."""

from dataclasses import replace

import re2

from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.frameworks.torch import world_size
from schedmate.readers.code.launchers.settled_counts import started_in_ranks
from schedmate.readers.code.libraries.standard_library import keep_first
from schedmate.readers.code.signs.facts import ProcessSigns
from schedmate.readers.code.values.objects import (
    CALLABLES,
    BoundMethod,
    Class,
    ExternalResult,
    Function,
    Instance,
    LibraryObject,
    Partial,
)
from schedmate.readers.code.values.run import Call, Hook, LibraryMethod, by_names
from schedmate.readers.code.values.value import Unknown, Value, find_in, held, join_spots, unknown

PACE = re2.compile(r"(?i)epoch|step|iter|update|batch|round")


class RayRemote(LibraryObject):
    """A function or class of the repository that Ray runs elsewhere, or the handle of such an object."""

    def __init__(self, inner: Value, gpus: Value | None = None) -> None:
        self.inner = inner
        self.gpus = gpus

    def get(self, name: str) -> Value | None:
        """Give `remote` and `options`; of an object that runs elsewhere, its methods."""
        if name in ("remote", "bind", "__call__"):
            return Value(LibraryMethod(self.start, name))
        if name == "options":
            gpus = self.gpus
            return Value(
                LibraryMethod(lambda call: Value(RayRemote(self.inner, call.kwargs.get("num_gpus", gpus))), name)
            )
        data = self.inner.data
        if isinstance(data, Instance):
            found = data.cls.find(name)
            if found is not None and isinstance(found.data, Function):
                return Value(RayRemote(Value(BoundMethod(self.inner, found.data))), self.inner.src)
            return data.attrs.get(name)
        return data.find(name) if isinstance(data, Class) else None

    def start(self, call: Call) -> Value:
        """Follow what is started; an object that lives elsewhere is spoken to through its handle."""
        signs = call.run.about(ProcessSigns)
        signs.ray = signs.ray or call.spot
        around = call.run.loops
        if isinstance(self.inner.data, Class) and self.gpus is not None:
            signs.actors.append(self.gpus if not around else unknown("as many as there are rounds", self.gpus))
        # A loop that starts workers is no loop of training.
        call.run.loops = [loop for loop in around if any(PACE.search(name) for name in loop.names)]
        try:
            result: Value = call.run.call(self.inner, call.args, call.kwargs, call.spot, call.scope)
        finally:
            call.run.loops = around
        return Value(RayRemote(result), result.src) if isinstance(result.data, Instance) else result


def make_remote(call: Call) -> Value | None:
    """Model `@ray.remote`, `@ray.remote(num_gpus=1)` and `ray.remote(Worker)`."""
    target = call.arg(0)
    if target is None:
        return Value(LibraryMethod(lambda inner: make_remote(replace(inner, kwargs=call.kwargs)), call.name))
    if isinstance(target.data, (Class, Function, Partial, BoundMethod)):
        return Value(RayRemote(target, call.kwargs.get("num_gpus")), target.src)
    return None


def ray_trainer_fit(call: Call) -> Value | None:
    """Model Ray Train: the function given to the trainer runs on its workers."""
    made = call.own(ExternalResult)
    signs = call.run.about(ProcessSigns)
    signs.ray, signs.joins = signs.ray or call.spot, signs.joins or call.spot
    scaling = held(made.kwargs.get("scaling_config"), ExternalResult)
    workers = scaling.kwargs.get("num_workers") if scaling is not None else None
    if workers is not None and isinstance(workers.data, int):
        call.run.facts.setdefault("world_size", workers)
    target = made.kwargs.get("train_loop_per_worker") or (made.args[0] if made.args else None)
    config = made.kwargs.get("train_loop_config")
    if target is not None and isinstance(target.data, CALLABLES):
        takes = not isinstance(target.data, Function) or target.data.node.args.args
        args = [config or Value({})] if takes and (config is not None or isinstance(target.data, Function)) else []
        call.run.call(target, args, {}, call.spot, call.scope)
    return Value(ExternalResult(call.name, call.args, call.kwargs, call.spot, call.owner))


HOOKS: dict[str, Hook] = {
    "ray.remote": make_remote,
    **by_names("ray.get ray.put ray.train.torch.prepare_model ray.train.torch.prepare_data_loader", keep_first),
    **by_names("ray.train.get_context.get_world_size ray.air.session.get_world_size", world_size),
    "ray.train.session.get_world_size": world_size,
}
ENDINGS: dict[str, Hook] = {
    **by_names("TorchTrainer.fit TensorflowTrainer.fit HorovodTrainer.fit LightningTrainer.fit", ray_trainer_fit),
    "JaxTrainer.fit": ray_trainer_fit,
}


def tell_processes(view: View) -> None:
    """Take what Ray's trainers are told of workers; those may be on any node of the cluster."""
    if started_in_ranks(view.launch) or view.run.about(ProcessSigns).starts is not None:
        return
    actors = view.run.about(ProcessSigns).actors
    for event in view.of("ray.init"):
        view.number("num_gpus", event.kwargs.get("num_gpus"), "what Ray is told that there are")
    if any(not isinstance(gpus.data, (int, float)) for gpus in actors):
        view.rule_out("num_gpus")
    elif (total := sum(gpus.data for gpus in actors)) >= 1:
        view.keep("num_gpus", int(total), join_spots(*actors), "what its remote objects ask for together")
    for event in view.named("ScalingConfig"):
        workers, uses = event.arg(0, "num_workers"), event.kwargs.get("use_gpu")
        view.rule_out("num_nodes")
        if workers is None or not isinstance(workers.data, int) or held(uses, Unknown) is not None:
            view.rule_out("num_gpus")
        elif uses is not None and uses.data is True:
            each = find_in(event.kwargs.get("resources_per_worker"), "GPU") or Value(1)
            if isinstance(each.data, int):
                view.keep("num_gpus", workers.data * each.data, join_spots(workers, each), "workers x GPUs of each")
        else:
            view.keep("num_gpus", 0, (event.spot,), "workers without GPUs")


RULES = (Rule(Subject.PROCESSES, "Ray", tell_processes),)
