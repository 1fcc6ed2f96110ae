"""Libraries that run the training loop themselves: which of the repository's methods they call, and when."""

from typing import TYPE_CHECKING

from schedmate.readers.code.libraries.defaults import record_defaults
from schedmate.readers.code.libraries.standard import keep_first
from schedmate.readers.code.natives import Call, Hook
from schedmate.readers.code.things import Bound, Class, Function, Instance, Made
from schedmate.readers.code.values import Config, External, Val, unknown

if TYPE_CHECKING:
    from schedmate.readers.code.python.run import Run

MODULE_METHODS = ("configure_model", "setup", "configure_optimizers", "training_step", "train_dataloader")
DATA_METHODS = ("setup", "train_dataloader")


def call_methods(run: "Run", value: Val, names: tuple[str, ...], call: Call) -> None:
    """Call those methods that the object's own class defines, as the library would."""
    if not isinstance(value.data, Instance):
        return
    for name in names:
        method = value.data.cls.find(name)
        if method is None or not isinstance(method.data, Function):
            continue
        args = {"training_step": [unknown("a batch"), Val(0)], "setup": [Val("fit")]}.get(name, [])
        needed = len(method.data.node.args.args) - 1
        run.call(Val(Bound(value, method.data)), args[: max(0, needed)], {}, call.spot, call.scope)


def lightning_fit(call: Call) -> Val | None:
    """Model `trainer.fit(model, datamodule)`."""
    model = call.arg(0, "model")
    data = call.kwargs.get("datamodule") or call.kwargs.get("train_dataloaders") or call.arg(1)
    call.run.flags["trains"] = call.spot
    call.run.flags["distributed"] = call.spot
    trainer = call.owner or unknown("the trainer")
    if isinstance(trainer.data, Made):
        furnish_trainer(trainer.data, model, data)
    for part in (model, data):
        if part is not None and isinstance(part.data, Instance):
            part.data.attrs["trainer"] = trainer
    if model is not None:
        call_methods(call.run, model, MODULE_METHODS, call)
    if data is not None:
        call_methods(call.run, data, DATA_METHODS, call)
    return Val(None)


def furnish_trainer(trainer: Made, model: Val | None, data: Val | None) -> None:
    """Give the trainer what modules ask it for: the model, the data, the number of processes where it is told."""
    if model is not None:
        trainer.attrs.update({"model": model, "lightning_module": model})
    if data is not None:
        trainer.attrs["datamodule"] = data
    devices, nodes = trainer.kwargs.get("devices"), trainer.kwargs.get("num_nodes")
    count = devices.data if devices is not None and isinstance(devices.data, int) and devices.data > 0 else None
    times = nodes.data if nodes is not None and isinstance(nodes.data, int) else 1 if nodes is None else None
    known = count is not None and times is not None
    trainer.attrs["world_size"] = Val(count * times, devices.src) if known else unknown("the number of processes")  # type: ignore[operator, union-attr]
    for name in ("max_epochs", "max_steps", "accumulate_grad_batches", "num_nodes"):
        if name in trainer.kwargs:
            trainer.attrs[name] = trainer.kwargs[name]


def save_hyperparameters(call: Call) -> Val | None:
    """Model `self.save_hyperparameters()`: the arguments of `__init__` become `self.hparams`."""
    owner = call.owner
    if owner is None or not isinstance(owner.data, Instance):
        return None
    given: dict[str, Val] = {}
    for argument in call.args:
        if isinstance(argument.data, dict):
            given.update({str(key): value for key, value in argument.data.items()})
    if not given:
        ignored = call.kwargs.get("ignore")
        names = (
            {str(item.data) for item in ignored.data}
            if ignored is not None and isinstance(ignored.data, (list, tuple))
            else set()
        )
        given = {
            key: value
            for key, value in call.scope.vars.items()
            if key not in ("self", "__class__") and key not in names and value is not owner
        }
        extra = given.pop("kwargs", None)
        if extra is not None and isinstance(extra.data, dict):
            given.update({str(key): value for key, value in extra.data.items()})
    known = owner.data.attrs.get("hparams")
    if known is not None and isinstance(known.data, Config):
        known.data.update(given)
    else:
        owner.data.attrs["hparams"] = Val(Config(given), (call.spot,))
    return Val(None)


def lightning_cli(call: Call) -> Val | None:
    """Model `LightningCLI(Model, DataModule)`: files and options of the command line make trainer, model and data."""
    from schedmate.readers.code.commandline.words import arguments_of, guess, is_option, joined, word_text
    from schedmate.readers.code.configs.hydra import find_object
    from schedmate.readers.code.configs.loaders import load_named, merge_into, put_path
    from schedmate.readers.code.python.functions import parameters_of

    config = Val(Config(), (call.spot,))
    defaults = call.kwargs.get("trainer_defaults")
    if defaults is not None and isinstance(defaults.data, dict):
        config.data["trainer"] = Val(Config(dict(defaults.data)), defaults.src)
    words = arguments_of(call.run)
    command, place = "", 0
    while place < len(words):
        text = word_text(words[place])
        key, equals, inline = text.lstrip("-").partition("=")
        value = Val(inline) if equals else words[place + 1] if place + 1 < len(words) else Val("")
        if not is_option(text):
            command = command or text
        elif key in ("config", "c"):
            loaded = load_named(call.run, value, call.scope)
            if loaded is not None and isinstance(loaded.data, dict):
                below = loaded.data.get(command)
                merge_into(
                    config.data, below.data if below is not None and isinstance(below.data, dict) else loaded.data
                )
            place += not equals
        else:
            src = joined(words[place], words[place] if equals else value)
            put_path(config, key, Val(guess(word_text(value)), src))
            place += not equals
        place += 1
    call.run.namespaces.append((config, "config"))
    call.run.configs.append(("lightning cli", config))

    def make(name: str, given: Val | None) -> Val | None:
        node = config.data.get(name)
        target, options = given, dict(node.data) if node is not None and isinstance(node.data, dict) else {}
        if "class_path" in options:
            target = find_object(call.run, options["class_path"], call.scope)
            inner = options.get("init_args")
            options = dict(inner.data) if inner is not None and isinstance(inner.data, dict) else {}
        if target is None or not isinstance(target.data, (Class, External, Function)):
            return None
        if isinstance(target.data, Class) and (start := target.data.find("__init__")) is not None:
            known = parameters_of(start.data) if isinstance(start.data, Function) else Config()
            options = {key: value for key, value in options.items() if key in known or start.data.node.args.kwarg}
        return call.run.call(target, [], {str(k): v for k, v in options.items()}, call.spot, call.scope)  # type: ignore[no-any-return]

    model = make("model", call.arg(0, "model_class"))
    data = make("data", call.arg(1, "datamodule_class"))
    trainer = make("trainer", Val(External("lightning.Trainer")))
    if command in ("fit", "") and model is not None:
        inner = Call(
            call.run, "lightning.Trainer.fit", [model, *([data] if data else [])], {}, call.spot, call.scope, trainer
        )
        call.run.record("lightning.Trainer.fit", inner.args, {}, call.spot, trainer, Val(None))
        lightning_fit(inner)
    return Val(Made(call.name, call.args, call.kwargs, call.spot))


def training_arguments(call: Call) -> Val | None:
    """Model `TrainingArguments(...)`: options that are not given have the library's defaults."""
    attrs = {**record_defaults(call.name, call.spot), **call.kwargs}
    return Val(Made(call.name, call.args, call.kwargs, call.spot, attrs=attrs), (call.spot,))


def trainer_train(call: Call) -> Val | None:
    """Note that a trainer trains."""
    call.run.flags["trains"] = call.spot
    return Val(Made(call.name, call.args, call.kwargs, call.spot, call.owner), (call.spot,))


def brain_fit(call: Call) -> Val | None:
    """Note that SpeechBrain's `fit` trains, and follow nothing more."""
    call.run.flags["trains"] = call.spot
    call.run.flags["distributed"] = call.spot
    return Val(None)


def estimator_train(call: Call) -> Val | None:
    """Model TensorFlow's estimators: `train` calls the model's function in training mode."""
    owner = call.owner
    made = owner.data if owner is not None and isinstance(owner.data, Made) else None
    if made is None:
        return None
    function = made.kwargs.get("model_fn") or (made.args[0] if made.args else None)
    if function is not None and isinstance(function.data, Function):
        mode = Val(External("tensorflow.estimator.ModeKeys.TRAIN"), (call.spot,))
        names = [arg.arg for arg in function.data.node.args.args]
        known = {"mode": mode, "params": made.kwargs.get("params") or unknown("parameters")}
        args = [known.get(name) or unknown(name) for name in names]
        call.run.call(function, args, {}, call.spot, call.scope)
    return Val(Made(call.name, call.args, call.kwargs, call.spot, owner))


def ray_trainer_fit(call: Call) -> Val | None:
    """Model Ray Train: the function given to the trainer runs on its workers."""
    owner = call.owner
    if owner is None or not isinstance(owner.data, Made):
        return None
    made = owner.data
    target = made.kwargs.get("train_loop_per_worker") or (made.args[0] if made.args else None)
    config = made.kwargs.get("train_loop_config")
    if target is not None and isinstance(target.data, (Function, Bound)):
        args = [config] if config is not None else []
        call.run.call(target, args, {}, call.spot, call.scope)
    return Val(Made(call.name, call.args, call.kwargs, call.spot, owner))


def submit_job(call: Call) -> Val | None:
    """Model submitit: what is submitted runs, on the nodes and GPUs that `update_parameters` asked for."""
    target = call.arg(0)
    zero = Val("0", (call.spot,))
    size = call.run.facts.get("world_size")
    variables = {"SLURM_PROCID": zero, "SLURM_LOCALID": zero, "SLURM_NODEID": zero, "SLURM_JOB_ID": zero}
    if size is not None:
        variables["SLURM_NTASKS"] = Val(str(size.data), size.src)
    call.run.environ.update({key: value for key, value in variables.items() if key not in call.run.environ})
    if target is not None:
        call.run.call(target, call.args[1:], call.kwargs, call.spot, call.scope)
    return Val(Made("submitit.Job", [], {}, call.spot))


def submit_parameters(call: Call) -> Val | None:
    """Keep what a submitit executor asks for."""
    for name, value in call.kwargs.items():
        call.run.flags.setdefault("submitit", {})[name] = value
        if name in ("slurm_additional_parameters", "additional_parameters") and isinstance(value.data, dict):
            call.run.flags["submitit"].update({str(key): item for key, item in value.data.items()})
    parameters = call.run.flags.get("submitit", {})
    nodes, tasks = parameters.get("nodes"), parameters.get("tasks_per_node") or parameters.get("ntasks_per_node")
    if nodes is not None and tasks is not None and isinstance(nodes.data, int) and isinstance(tasks.data, int):
        from schedmate.readers.code.values import join_spots

        call.run.facts["world_size"] = Val(nodes.data * tasks.data, join_spots(nodes, tasks))
        call.run.facts.setdefault("gpus_per_node", tasks)
    return Val(None)


def job_environment(call: Call) -> Val | None:
    """Model `submitit.JobEnvironment()`: seen from the first task."""
    attrs = {name: Val(0, (call.spot,)) for name in ("global_rank", "local_rank", "node")}
    size = call.run.facts.get("world_size")
    if size is not None:
        attrs["num_tasks"] = size
    return Val(Made(call.name, [], {}, call.spot, attrs=attrs), (call.spot,))


def accelerate_prepare(call: Call) -> Val | None:
    """Model `accelerator.prepare(a, b, ...)`: the same objects come back."""
    return call.args[0] if len(call.args) == 1 else Val(tuple(call.args))


def make_accelerator(call: Call) -> Val | None:
    """Model `Accelerator(...)` as its first process sees it."""
    attrs = {name: Val(True, (call.spot,)) for name in ("is_main_process", "is_local_main_process")}
    attrs["sync_gradients"] = unknown("depends on the step")
    count = call.run.facts.get("world_size")
    attrs["num_processes"] = count if count is not None else unknown("the number of processes")
    attrs["process_index"] = Val(0, (call.spot,))
    accumulation = call.kwargs.get("gradient_accumulation_steps")
    if accumulation is not None:
        attrs["gradient_accumulation_steps"] = accumulation
    if "mixed_precision" in call.kwargs:
        attrs["mixed_precision"] = call.kwargs["mixed_precision"]
    made = Made(call.name, call.args, call.kwargs, call.spot, attrs=attrs)
    call.run.flags["accelerator"] = made
    return Val(made, (call.spot,))


def initialize_deepspeed(call: Call) -> Val | None:
    """Model `deepspeed.initialize(...)`: the engine stands for the model."""
    call.run.flags["distributed"] = call.spot
    made = [
        Val(Made("deepspeed.Engine", [call.kwargs["model"]] if "model" in call.kwargs else [], call.kwargs, call.spot)),
        call.kwargs.get("optimizer") or unknown("the engine's optimizer"),
        unknown("a loader"),
        unknown("a scheduler"),
    ]
    return Val(tuple(made), (call.spot,))


HOOKS: dict[str, Hook] = {
    "deepspeed.initialize": initialize_deepspeed,
    "accelerate.Accelerator": make_accelerator,
    "deepspeed.add_config_arguments": keep_first,
    "submitit.JobEnvironment": job_environment,
}
ENDINGS: dict[str, Hook] = {
    "Trainer.fit": lightning_fit,
    "LightningModule.save_hyperparameters": save_hyperparameters,
    "save_hyperparameters": save_hyperparameters,
    "LightningCLI": lightning_cli,
    "TrainingArguments": training_arguments,
    "Seq2SeqTrainingArguments": training_arguments,
    "SFTConfig": training_arguments,
    "DPOConfig": training_arguments,
    "ORPOConfig": training_arguments,
    "KTOConfig": training_arguments,
    "CPOConfig": training_arguments,
    "RewardConfig": training_arguments,
    "GRPOConfig": training_arguments,
    "SentenceTransformerTrainingArguments": training_arguments,
    "Trainer.train": trainer_train,
    "Estimator.train": estimator_train,
    "TPUEstimator.train": estimator_train,
    "TorchTrainer.fit": ray_trainer_fit,
    "TensorflowTrainer.fit": ray_trainer_fit,
    "AutoExecutor.submit": submit_job,
    "SlurmExecutor.submit": submit_job,
    "LocalExecutor.submit": submit_job,
    "AutoExecutor.update_parameters": submit_parameters,
    "SlurmExecutor.update_parameters": submit_parameters,
    "Accelerator.prepare": accelerate_prepare,
    "Accelerator.prepare_model": accelerate_prepare,
    "Fabric.setup": accelerate_prepare,
    "Fabric.setup_dataloaders": accelerate_prepare,
    "Brain.fit": brain_fit,
}
