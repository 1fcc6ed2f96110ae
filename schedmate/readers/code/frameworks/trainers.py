"""Hugging Face's, SpeechBrain's and TensorFlow's trainers, which run the training loop themselves."""

from schedmate.knowledge.trainers import argument_records
from schedmate.readers.code.signs.facts import ProcessSigns, TrainingSigns
from schedmate.readers.code.values.library_defaults import record_defaults
from schedmate.readers.code.values.objects import Bound, Function, Instance, Made
from schedmate.readers.code.values.run import Call, Hook
from schedmate.readers.code.values.value import External, Val, unknown


def training_arguments(call: Call) -> Val | None:
    """Model `TrainingArguments(...)`: options that are not given have the library's defaults."""
    attrs = {**record_defaults(call.name, call.spot), **call.kwargs}
    return Val(Made(call.name, call.args, call.kwargs, call.spot, attrs=attrs), (call.spot,))


def trainer_train(call: Call) -> Val | None:
    """Note that a trainer trains."""
    call.run.about(TrainingSigns).surely = call.spot
    return Val(Made(call.name, call.args, call.kwargs, call.spot, call.owner), (call.spot,))


def detectron_train(call: Call) -> Val | None:
    """Model Detectron2's trainer: an optimizer that its class builds anew is built as the library would ask for it."""
    owner = call.owner
    configs = [value for kind, value in call.run.configs if kind == "detectron2"]
    builder = owner.data.cls.find("build_optimizer") if owner is not None and isinstance(owner.data, Instance) else None
    if owner is not None and builder is not None and isinstance(builder.data, Function) and configs:
        call.run.about(TrainingSigns).own_solver = True
        model = Val(Made("detectron2.modeling.build_model", configs[-1:], {}, call.spot), (call.spot,))
        receiver = Val(owner.data.cls) if builder.data.kind == "class" else owner
        method = builder if builder.data.kind == "static" else Val(Bound(receiver, builder.data))
        call.run.call(method, [configs[-1], model], {}, call.spot, call.scope)
    return trainer_train(call)


def brain_fit(call: Call) -> Val | None:
    """Note that SpeechBrain's `fit` trains, and follow nothing more."""
    call.run.about(TrainingSigns).surely = call.spot
    call.run.about(ProcessSigns).joins = call.spot
    return Val(None)


def estimator_train(call: Call) -> Val | None:
    """Model TensorFlow's estimators: `train` calls the model's function in training mode."""
    owner = call.owner
    made = owner.data if owner is not None and isinstance(owner.data, Made) else None
    if made is None:
        return None
    function = made.kwargs.get("model_fn") or (made.args[0] if made.args else None)
    if function is not None and isinstance(function.data, Function):
        library = function.data.scope.find("tf")
        root = library.data.name if library is not None and isinstance(library.data, External) else "tensorflow"
        mode = Val(External(f"{root}.estimator.ModeKeys.TRAIN"), (call.spot,))
        names = [arg.arg for arg in function.data.node.args.args]
        known = {"mode": mode, "params": made.kwargs.get("params") or unknown("parameters")}
        args = [known.get(name) or unknown(name) for name in names]
        call.run.call(function, args, {}, call.spot, call.scope)
    return Val(Made(call.name, call.args, call.kwargs, call.spot, owner))


ENDINGS: dict[str, Hook] = {
    **dict.fromkeys(argument_records(), training_arguments),
    "Trainer.train": trainer_train,
    "DefaultTrainer.train": detectron_train,
    "Estimator.train": estimator_train,
    "TPUEstimator.train": estimator_train,
    "Brain.fit": brain_fit,
}
