"""In what precision training computes."""

from schedmate.readers.code.fields.batches import deepspeed_config
from schedmate.readers.code.fields.trainer_arguments import trainer_arguments
from schedmate.readers.code.fields.view import View
from schedmate.readers.code.joining import truth
from schedmate.readers.code.python.run import Event
from schedmate.readers.code.things import Made
from schedmate.readers.code.values import COMMAND, External, Unknown, Val, is_unknown

WORDS = (
    ("bfloat16", "bf16"),
    ("bf16", "bf16"),
    ("float16", "fp16"),
    ("fp16", "fp16"),
    ("half", "fp16"),
    ("fp8", "fp8"),
    ("float8", "fp8"),
    ("float32", "fp32"),
    ("fp32", "fp32"),
    ("float64", "fp64"),
    ("double", "fp64"),
    ("tf32", "fp32"),
)
MODEL_CASTS = {"half": "fp16", "bfloat16": "bf16", "double": "fp64"}
HALVES = frozenset({"torch.bfloat16", "torch.float16", "torch.half", "jax.numpy.bfloat16", "jax.numpy.float16"})
NUMBERS = {
    "16": "fp16",
    "16-mixed": "fp16",
    "16-true": "fp16",
    "32": "fp32",
    "32-true": "fp32",
    "64": "fp64",
    "bf16-mixed": "bf16",
    "bf16-true": "bf16",
    "no": "fp32",
}


def precision_of(value: Val | None) -> str | None:
    """Read a precision off a value: a name, a number of bits, a dtype."""
    if value is None or isinstance(value.data, bool):
        return None
    data = value.data
    text = (
        str(data)
        if isinstance(data, (str, int))
        else data.name.rpartition(".")[2]
        if isinstance(data, External)
        else ""
    )
    text = text.lower().strip()
    if text in NUMBERS:
        return NUMBERS[text]
    return next((name for word, name in WORDS if word in text), None)


def find_precision(view: View) -> None:
    """Find the precision: what trainers are told, what the path casts to, else the framework's own single precision."""
    if not view.get("is_training"):
        return
    from_trainers(view)
    from_accelerate(view)
    from_deepspeed(view)
    open_question = from_casts(view)
    from_jax(view)
    if "precision" not in view.values and not open_question:
        from_default(view)


def find_casts(view: View) -> None:
    """Find the precision of a job that does not train: only what it casts to itself."""
    from_accelerate(view)
    from_casts(view)


def from_trainers(view: View) -> None:
    """Take the arguments of Hugging Face's and Lightning's trainers."""
    arguments = trainer_arguments(view)
    if arguments is not None:
        for name in ("bf16", "fp16"):
            value = arguments.attrs.get(name)
            if value is not None and value.data is True:
                view.keep("precision", name, value.src)
    for event in view.lightning:
        value = event.kwargs.get("precision")
        known = precision_of(value)
        if known is not None and value is not None:
            view.keep("precision", known, value.src)


def from_accelerate(view: View) -> None:
    """Take accelerate's mixed precision: of the launcher, then of the object."""
    value = view.launch.options.get("accelerate.mixed_precision")
    if value is not None and (name := precision_of(value)) is not None:
        view.keep("precision", name, value.src)
    given = view.launch.options.get("fabric.precision")
    if given is not None and (name := precision_of(given)) is not None:
        view.keep("precision", name, given.src)
    for event in view.named("Accelerator", "Booster"):
        value = event.kwargs.get("mixed_precision")
        name = precision_of(value)
        if name is not None and value is not None:
            view.keep("precision", name, value.src)


def from_deepspeed(view: View) -> None:
    """Take the precision of DeepSpeed's configuration."""
    config = deepspeed_config(view) or {}
    for key, name in (("bf16", "bf16"), ("bfloat16", "bf16"), ("fp16", "fp16")):
        node = config.get(key)
        enabled = node.data.get("enabled") if node is not None and isinstance(node.data, dict) else None
        if enabled is not None and enabled.data is True:
            view.keep("precision", name, enabled.src)


def from_casts(view: View) -> bool:
    """Take autocast, scalers and casts of the model; tell whether one of them depends on what is not known."""
    open_question = False
    for event in view.named("autocast", "amp_autocast", "auto_cast"):
        enabled = event.kwargs.get("enabled") or event.kwargs.get("enable")
        if event.args and ("cuda.amp" in event.name or isinstance(event.args[0].data, (bool, Unknown))):
            enabled = event.args[0]
        known = True if enabled is None else truth(enabled)
        if known is False:
            continue
        # Where no step is sure, a cast that is told to be on is as sure as the training itself.
        sure = event.sure or (enabled is not None and not any(step.sure for step in view.training))
        if known is None or not sure or not event.name.startswith(("torch", "paddle")):
            open_question = True
            continue
        dtype = event.kwargs.get("dtype") or next((arg for arg in event.args[1:] if precision_of(arg)), None)
        name = precision_of(dtype)
        if name is not None and dtype is not None:
            view.keep("precision", name, (*dtype.src[:2], event.spot))
        elif dtype is None:
            view.keep("precision", "fp16", (event.spot,), "autocast computes in float16 on GPUs")
        else:
            open_question = True
    open_question |= from_sharding(view)
    for event in view.named("GradScaler"):
        enabled = event.kwargs.get("enabled") or event.kwargs.get("enable")
        known = True if enabled is None else truth(enabled)
        casts = view.named("autocast", "amp_autocast", "auto_cast") or not view.program.complete
        if (
            known is True
            and (casts or enabled is not None)
            and event.sure
            and "precision" not in view.values
            and not open_question
        ):
            view.keep("precision", "fp16", (event.spot,), "gradients are scaled, as float16 needs")
    for event in view.ending("amp.initialize"):
        level = event.kwargs.get("opt_level")
        if level is not None and level.data in ("O1", "O2", "O3") and event.sure:
            view.keep("precision", "fp16", level.src)
    for event in view.ending("set_global_policy", "set_policy", "experimental.Policy", "mixed_precision.Policy"):
        name = precision_of(event.arg(0))
        if name is not None and event.args and event.sure:
            view.keep("precision", name, event.args[0].src)
    for event in view.ending("mxnet.contrib.amp.init", "mxnet.amp.init"):
        if event.sure:
            view.keep("precision", "fp16", (event.spot,), "MXNet's automatic casts compute in float16")
    from_policies(view)
    from_model_casts(view)
    return open_question


def from_policies(view: View) -> None:
    """Take the type that one of jmp's policies computes in: `p=f32,c=bf16,o=f32`; layers may be kept in more."""
    for event in view.ending("jmp.get_policy"):
        text = event.args[0].data if event.args and isinstance(event.args[0].data, str) else ""
        parts = dict(part.strip().partition("=")[::2] for part in text.split(","))
        kind = parts.get("c") or parts.get("compute") or ("" if "=" in text else text)
        name = POLICIES.get(kind.strip()) or precision_of(Val(kind))
        if name in ("bf16", "fp16"):
            view.keep("precision", name, event.args[0].src or (event.spot,))


POLICIES = {"f16": "fp16", "bf16": "bf16", "half": "fp16"}


def from_sharding(view: View) -> bool:
    """Take the policy that sharding wrappers are given, else those made where all agree; tell where they do not."""
    told = [
        value
        for event in view.named("FullyShardedDataParallel", "fully_shard")
        for key in ("mixed_precision", "mp_policy")
        if (value := event.kwargs.get(key)) is not None
    ]
    if told and all(value.data is None for value in told):
        return False
    policies = [part for value in told for part in (value.data.parts if isinstance(value.data, Unknown) else (value,))]
    made = [event.result for event in view.named("MixedPrecision", "MixedPrecisionPolicy") if event.sure]
    types = dtypes_of(policies) or dtypes_of(made)
    if types and len({precision_of(dtype) for dtype in types}) == 1:
        name = precision_of(types[0])
        return name is not None and not view.keep("precision", name, types[0].src or made[0].src)
    return bool(types)


def dtypes_of(policies: list[Val]) -> list[Val]:
    """Give the types that sharding's policies compute in."""
    found = []
    for value in policies:
        if isinstance(value.data, Made) and value.data.short.startswith("MixedPrecision"):
            found += [value.data.kwargs.get("param_dtype") or next(iter(value.data.args), Val(None))]
    return found


def from_model_casts(view: View) -> None:
    """Take `.half()`, `.bfloat16()`, `.to(dtype)` of a model and the dtype that it is loaded in."""
    for event in view.named(*MODEL_CASTS):
        if event.sure and is_model(event):
            view.keep("precision", MODEL_CASTS[event.short], (event.spot,))
    for event in view.named("to"):
        dtype = event.arg(0, "dtype")
        if event.sure and is_model(event) and precision_of(dtype) in ("bf16", "fp16") and dtype is not None:
            view.keep("precision", precision_of(dtype), dtype.src or (event.spot,))
    for event in view.ending("from_pretrained", "from_config"):
        value = event.kwargs.get("torch_dtype") or event.kwargs.get("dtype")
        name = precision_of(value)
        loads = event.sure and "Model" in event.name and not stands_aside(event)
        if name in ("bf16", "fp16") and value is not None and loads:
            view.keep("precision", name, value.src)
    told = [event for event in view.ending("set_default_dtype", "set_default_tensor_type") if event.sure and event.args]
    names = {name for event in told if (name := precision_of(event.args[0])) is not None}
    if len(names) == 1 and names <= set(MODEL_CASTS.values()):
        view.keep("precision", names.pop(), told[0].args[0].src or (told[0].spot,))


def stands_aside(event: Event) -> bool:
    """Tell a model that training only asks, by the name that it is given."""
    names = event.result.data.names if isinstance(event.result.data, Made) else []
    return any(name.lower().startswith(ASIDE) for name in names)


ASIDE = ("ref", "teacher", "reward", "judge", "frozen", "old_")


def is_model(event: Event) -> bool:
    """Tell a cast of a model from one of a tensor: models are the repository's objects or loaded ones."""
    from schedmate.readers.code.things import Instance

    data = event.owner.data if event.owner is not None else None
    return isinstance(data, Instance) or (
        isinstance(data, Made)
        and ("Model" in data.callee or "models" in data.callee or data.short == "from_pretrained")
    )


def from_jax(view: View) -> None:
    """Take a dtype option of JAX and of programs that name theirs."""
    if view.training and view.imports.intersection(("jax", "flax")):
        known = [(precision_of(value), value) for value in view.all_read("precision")]
        # Weights, moments and checkpoints have dtypes of their own: where they differ, none is known to be the work's.
        if len({name for name, _ in known if name is not None}) == 1:
            name, value = next(pair for pair in known if pair[0] is not None)
            view.keep("precision", name, value.src)


def handles_half(view: View) -> bool:
    """Tell a path on which something is done in half precision that is no cast of the whole model."""
    if "half precision" in view.run.flags and view.get("num_gpus") != 0 and not view.named("autocast"):
        return True
    return any(
        isinstance(value.data, External) and value.data.name in HALVES
        for event in view.events
        if event.short not in ("autocast", "custom_fwd")
        for value in [*event.args, *event.kwargs.values()]
    )


def from_default(view: View) -> None:
    """Single precision is what frameworks compute in when nothing on the followed path says otherwise."""
    plain = view.program.complete and not view.lightning and trainer_arguments(view) is None
    plain = plain and view.get("framework") == "PyTorch" and not view.named("MixedPrecision", "MixedPrecisionPolicy")
    asked = [value for _, value in view.options("precision") if not is_unknown(value) and value.data]
    if plain:
        asked = [
            value
            for value in asked
            if value.src and not value.src[0].path.endswith(".py") and value.src[0].path != COMMAND
        ]
    for value in asked:
        name = precision_of(value)
        if name is not None:
            view.keep("precision", name, value.src)
            return
    if from_plain_arguments(view) or view.named("MixedPrecision", "MixedPrecisionPolicy") or handles_half(view):
        return
    if view.is_partial:
        return
    training = [event for event in view.training if event.sure] or view.training
    if view.program.complete and training and view.get("framework") and trainer_arguments(view) is None:
        view.keep("precision", "fp32", (training[0].spot,), "no cast on the path: the framework's single precision")
    elif view.lightning:
        event = view.lightning[0]
        if "precision" not in event.kwargs and "**" not in event.kwargs:
            view.keep("precision", "fp32", (event.spot,), "default of lightning.Trainer: precision = 32-true")


def from_plain_arguments(view: View) -> bool:
    """Take single precision where the Hugging Face trainer is asked for no other."""
    arguments = trainer_arguments(view)
    if arguments is None:
        return False
    asked = [arguments.attrs.get(name) for name in ("bf16", "fp16")]
    if all(value is not None and value.data is False for value in asked):
        view.keep("precision", "fp32", (arguments.spot,), "neither bf16 nor fp16 is asked for")
    return True
