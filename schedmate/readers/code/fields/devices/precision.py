"""In what precision training computes: autocast, scalers, policies, models turned to another type, options."""

from schedmate.knowledge.models import family_words, squash
from schedmate.readers.code.evidence.labels import computes_with
from schedmate.readers.code.evidence.precision_words import (
    handles_half,
    is_precision_open,
    keep_precision,
    leaves_default,
    precision_of,
)
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.devices.double_numbers import from_double_numbers
from schedmate.readers.code.fields.networks.trained_network import looks_like_model, origin, trained_network
from schedmate.readers.code.frameworks.lightning import trainers
from schedmate.readers.code.frameworks.transformers import trainer_arguments
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.joining import truth
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.value import COMMAND, SourceLocation, Unknown, Value, is_unknown

MODEL_CASTS = {"half": "fp16", "bfloat16": "bf16", "double": "fp64"}
POLICIES = {"f16": "fp16", "bf16": "bf16", "half": "fp16"}
AUTOCASTS = ("autocast", "amp_autocast", "auto_cast")

ASKING = frozenset({"torch_dtype", "dtype", "quantization_config", "load_in_8bit", "load_in_4bit", "variant", "**"})
"""What loading is told where weights may come in another type."""
DEEPEST_PART = 5
ASIDE = ("ref", "teacher", "reward", "judge", "frozen", "old_")


HALVING = ("whisper.", "clip.", "faster_whisper.", "vllm.", "ctranslate2.", "llama_cpp.", "bitsandbytes.")
"""Libraries whose ready networks compute in half precision by themselves, where they can."""
READY = ("torchvision.models.", "timm.create_model", "torch.hub.load", "segmentation_models_pytorch.")
"""How the names of functions begin that make a ready network."""


def from_casts(view: View) -> bool:
    """Take autocast, scalers and casts of the model; tell whether one of them depends on what is not known."""
    open_questions = [from_autocast(view, event) for event in view.named(*AUTOCASTS)]
    open_question = from_sharding(view) or any(open_questions)
    from_scalers(view, open_question)
    from_library_policies(view)
    from_policies(view)
    from_model_casts(view)
    return open_question


def told_on(event: Event) -> Value | None:
    """Give what a call says of whether it is switched on."""
    return event.kwargs.get("enabled") or event.kwargs.get("enable")


def from_autocast(view: View, event: Event) -> bool:
    """Take what one autocast casts to; tell whether that is not known."""
    enabled = told_on(event)
    first = event.args[0] if event.args and event.name not in ("torch.autocast", "torch.amp.autocast") else None
    if first is not None and ("cuda.amp" in event.name or isinstance(first.data, (bool, Unknown))):
        enabled = first
    known = True if enabled is None else truth(enabled)
    if known is False:
        return False
    # Where no step is sure, a cast that is told to be on is as sure as the training itself.
    sure = event.sure or (enabled is not None and not any(step.sure for step in view.training))
    if known is None or not sure or not event.name.startswith(("torch", "paddle")):
        return True
    dtype = event.kwargs.get("dtype") or next((arg for arg in event.args[1:] if precision_of(arg)), None)
    name = precision_of(dtype)
    if name is not None and dtype is not None:
        view.keep("precision", name, (*dtype.src[:2], event.spot))
    elif dtype is None:
        view.keep("precision", "fp16", (event.spot,), "autocast computes in float16 on GPUs")
    return name is None and dtype is not None


def from_scalers(view: View, open_question: bool) -> None:
    """Take a scaler of gradients that is switched on as a sign of float16, where nothing else says a precision."""
    casts = view.named(*AUTOCASTS) or view.is_partial
    # A trainer that takes its steps without the scaler which the class below it keeps computes as it did before.
    idle = not view.is_partial and bool(view.training) and not view.named("scale")
    for event in view.named("GradScaler") if not idle else ():
        enabled = told_on(event)
        on = bool(casts) if enabled is None else truth(enabled) is True
        if on and event.sure and not open_question:
            view.keep("precision", "fp16", (event.spot,), "gradients are scaled, as float16 needs")


def from_library_policies(view: View) -> None:
    """Take the types that Keras, Haiku, MXNet and Colossal-AI's booster are told to compute in."""
    for event in view.named("Booster"):
        keep_precision(view, event.kwargs.get("mixed_precision"))
    for event in view.ending("set_global_policy", "set_policy", "experimental.Policy", "mixed_precision.Policy"):
        name = precision_of(event.arg(0))
        if name is not None and event.args and event.sure:
            view.keep("precision", name, event.args[0].src)
    from_double_numbers(view)
    for event in view.named("set_floatx"):
        if event.sure and event.args:
            keep_precision(view, event.args[0], event.spot)
    for event in view.ending("mxnet.contrib.amp.init", "mxnet.amp.init"):
        if event.sure:
            view.keep("precision", "fp16", (event.spot,), "MXNet's automatic casts compute in float16")


def from_policies(view: View) -> None:
    """Take the type that one of jmp's policies computes in: `p=f32,c=bf16,o=f32`; layers may be kept in more."""
    for event in view.ending("jmp.get_policy"):
        text = event.args[0].data if event.args and isinstance(event.args[0].data, str) else ""
        parts = dict(part.strip().partition("=")[::2] for part in text.split(","))
        kind = parts.get("c") or parts.get("compute") or ("" if "=" in text else text)
        name = POLICIES.get(kind.strip()) or precision_of(Value(kind))
        if name in ("bf16", "fp16"):
            view.keep("precision", name, event.args[0].src or (event.spot,))


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


def dtypes_of(policies: list[Value]) -> list[Value]:
    """Give the types that sharding's policies compute in."""
    found = []
    for value in policies:
        if isinstance(value.data, ExternalResult) and value.data.short.startswith("MixedPrecision"):
            found += [value.data.kwargs.get("param_dtype") or next(iter(value.data.args), Value(None))]
    return found


def from_model_casts(view: View) -> None:
    """Take `.half()`, `.bfloat16()`, `.to(dtype)` of a model and the dtype that it is loaded in."""
    for event in view.named(*MODEL_CASTS):
        if event.sure and is_model(event) and not helps_beside(view, event.owner):
            view.keep("precision", MODEL_CASTS[event.short], (event.spot,))
    for event in view.named("to", "set_dtype", "to_float"):
        dtype = event.kwargs.get("dtype") or next((one for one in event.args[:2] if precision_of(one)), None)
        is_cast = event.sure and is_model(event) and not helps_beside(view, event.owner)
        if is_cast and precision_of(dtype) in ("bf16", "fp16") and dtype is not None:
            view.keep("precision", precision_of(dtype), dtype.src or (event.spot,))
    for event in view.ending("from_pretrained", "from_config"):
        value = event.kwargs.get("torch_dtype") or event.kwargs.get("dtype")
        name = precision_of(value)
        runs = "Pipeline" in event.name and not view.training
        loads = event.sure and ("Model" in event.name or runs) and not stands_aside(event)
        if name in ("bf16", "fp16") and value is not None and loads and not helps_beside(view, event.result):
            if is_translated(view, event):
                view.unsettled.add("precision")
                continue
            view.keep("precision", name, value.src)
    told = [event for event in view.ending("set_default_dtype", "set_default_tensor_type") if event.sure and event.args]
    names = {name for event in told if (name := precision_of(event.args[0])) is not None}
    if len(names) == 1 and names <= set(MODEL_CASTS.values()):
        view.keep("precision", names.pop(), told[0].args[0].src or (told[0].spot,))


def is_translated(view: View, event: Event) -> bool:
    """Tell weights of PyTorch's that are loaded for a network of JAX's, which computes in a type of its own."""
    return computes_with(view, "JAX") and not computes_with(view, "PyTorch") and "Flax" not in event.name


def stands_aside(event: Event) -> bool:
    """Tell a model that training only asks, by the name that it is given."""
    names = event.result.data.names if isinstance(event.result.data, ExternalResult) else []
    return any(name.lower().startswith(ASIDE) for name in names)


def helps_beside(view: View, model: Value | None) -> bool:
    """Tell a model beside the repository's own network that is optimized: it is no part of it, and keeps its type."""
    trained = view.once(trained_network)
    if trained is None or model is None or not isinstance(trained.data, Instance):
        return False
    return not holds(trained.data, model.data) and not holds(model.data, trained.data)


def holds(outer: object, inner: object) -> bool:
    """Tell whether an object is another one, or keeps it in itself or in its parts; each is looked at once."""
    level, seen = [outer], {id(outer)}
    for _ in range(DEEPEST_PART + 2):
        if any(one is inner for one in level):
            return True
        found = [part.data for one in level for part in kept_by(one)]
        level = [one for one in {id(one): one for one in found}.values() if id(one) not in seen]
        seen.update(id(one) for one in level)
    return False


def kept_by(outer: object) -> list[Value]:
    """Give the objects that an object keeps or was made of."""
    if not isinstance(outer, (Instance, ExternalResult)):
        return []
    parts = [*outer.attrs.values(), *(outer.args if isinstance(outer, ExternalResult) else ())]
    return [found for part in parts if (found := origin(part)) is not None]


def is_model(event: Event) -> bool:
    """Tell a cast of a model from one of a tensor: models are the repository's objects or loaded ones, or weights."""
    data = event.owner.data if event.owner is not None else None
    return isinstance(data, Instance) or (
        isinstance(data, ExternalResult)
        and ("Model" in data.callee or "models" in data.callee or data.short == "from_pretrained")
    )


def from_path(view: View) -> None:
    """Take what the path casts to; where that hangs on what is not known, no default says more."""
    if from_casts(view):
        view.unsettled.add("precision")


def from_options(view: View) -> None:
    """Take the option; in plain PyTorch one that only the code sets is not seen to reach a cast."""
    if not is_precision_open(view):
        return
    plain = not view.is_partial and not view.once(trainers) and view.once(trainer_arguments) is None
    plain = plain and view.get("framework") == "PyTorch" and not view.named("MixedPrecision", "MixedPrecisionPolicy")
    for _, value in view.options("precision"):
        in_code = not value.src or value.src[0].path.endswith(".py") or value.src[0].path == COMMAND
        if is_unknown(value) or not value.data or (plain and in_code):
            continue
        name = precision_of(value)
        if name is not None:
            view.keep("precision", name, value.src)
            return


def from_switches(view: View) -> None:
    """Take a switch of half precision that the command or a configuration turns on, where the path heeds one."""
    for name, kind in (("bf16_switch", "bf16"), ("fp16_switch", "fp16")):
        for _, value in view.options(name):
            chosen = bool(value.src) and not value.src[0].path.endswith(".py")
            if value.data is not True or not chosen:
                continue
            if view.is_partial or handles_half(view) or "precision" in view.unsettled:
                view.keep("precision", kind, value.src)


def default_of_use(view: View) -> None:
    """Take single precision, in which a network is made or loaded where nothing on the path says otherwise."""
    own = [value.data.spot for value in view.run.instances if looks_like_model(value)]
    loads = [event for event in view.ending("from_pretrained") if "Model" in event.name or "Pipeline" in event.name]
    plain = not any(key in ASKING for event in loads for key in event.kwargs)
    spots = (*own, *(event.spot for event in loads if event.sure), *ready_networks(view))[:1]
    if spots and plain and leaves_default(view) and any(computes_with(view, one) for one in ("PyTorch", "Keras")):
        view.keep("precision", "fp32", spots, "no cast on the path: the framework's single precision")


def ready_networks(view: View) -> list[SourceLocation]:
    """Give where networks of libraries are made, unless by one that casts them itself."""
    made = (event for event in view.events if event.sure and not event.name.startswith(HALVING))
    return [event.spot for event in made if event.name.startswith(READY) or is_known_network(event)]


def is_known_network(event: Event) -> bool:
    """Tell a library's class that is called as a family of networks is."""
    return event.short[:1].isupper() and not event.owner and "." in event.name and squash(event.short) in family_words()


def from_default(view: View) -> None:
    """Take single precision, in which frameworks compute where nothing on the followed path says otherwise."""
    training = [event for event in view.training if event.sure] or view.training
    if not leaves_default(view) or not training or view.once(trainer_arguments) is not None:
        return
    if view.get("framework"):
        view.keep("precision", "fp32", (training[0].spot,), "no cast on the path: the framework's single precision")


RULES = (
    Rule((Subject.PRECISION, Subject.CASTS), "casts on the path", from_path),
    Rule((Subject.PRECISION, Subject.CASTS), "switches", from_switches),
    Rule(Subject.CASTS, "the framework's default", default_of_use),
    Rule(Subject.PRECISION, "options", from_options),
    Rule(Subject.PRECISION, "the framework's default", from_default),
)
