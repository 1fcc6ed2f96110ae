"""Which model is trained: its name, its type, its size."""

import ast
import posixpath

from schedmate.knowledge.datasets import known_dataset
from schedmate.knowledge.models import family_of, layer_type, size_of
from schedmate.knowledge.option_names import option_names
from schedmate.knowledge.reinforcement import algorithm_of
from schedmate.readers.code.fields.optimizers import trained_object
from schedmate.readers.code.fields.view import View, origin
from schedmate.readers.code.things import Class, Instance, Made
from schedmate.readers.code.values import Spot, Val

LOADED = (
    "from_pretrained",
    "from_config",
    "create_model",
    "get_model",
    "create_model_and_transforms",
    "FastLanguageModel",
    "load_model",
)
NO_MODELS = ("Trainer", "DataLoader", "Fabric", "Accelerator", "ModuleDict")
ABOUT_MODELS = (
    "Config",
    "Arguments",
    "Args",
    "Checkpoint",
    "Registry",
    "Card",
    "Tokenizer",
    "Processor",
    "Saver",
    "Info",
)
"""How names end that have a model in them but are none."""
MODEL_BASES = ("Module", "Model", "LightningModule", "Brain", "PreTrainedModel", "Layer", "Block", "Sequential")
GENERIC_NAMES = frozenset(
    {
        "Generator",
        "Discriminator",
        "Net",
        "Network",
        "Model",
        "MyModel",
        "NeuralNetwork",
        "Actor",
        "Critic",
        "Encoder",
        "Decoder",
    }
)
PLAIN_MODELS = ("Model", "Net", "Network", "Module", "LitModel", "Classifier", "Agent", "Wrapper")


def find_model(view: View) -> None:
    """Find the model: what the optimizer's parameters belong to, what a trainer gets, what is loaded by name."""
    value = trained_object(view)
    if value is not None:
        value = outermost(view, value) if looks_like_model(value) else None
    value = value or wrapped_object(view) or loaded_object(view)
    named_by_option, weak = name_option(view)
    name_by_algorithm(view)
    if value is not None:
        name, spots = name_of(view, value)
        if name in GENERIC_NAMES:
            name_by_place(view)
        if named_by_option is not None and fits(named_by_option.data, value, name, weak):
            name, spots = str(named_by_option.data), (*named_by_option.src, *spots)
        if name:
            view.keep("model_name", name, spots)
        describe(view, value)
    elif named_by_option is not None and view.get("is_training") is not False:
        view.keep("model_name", str(named_by_option.data), named_by_option.src)
    name_tells(view)


def name_by_algorithm(view: View) -> None:
    """Name what learns by reinforcement after its algorithm: the option, the class or the script that says so."""
    if not view.imports.intersection(("gym", "gymnasium", "envpool", "stable_baselines3", "sb3_contrib", "procgen")):
        return
    for event in view.events:
        if event.name.startswith(("stable_baselines3.", "sb3_contrib.")) and algorithm_of(event.short):
            view.keep("model_name", event.short, (event.spot,))
    script = posixpath.basename(view.launch.name).rpartition(".")[0]
    known = algorithm_of(script)
    if known is not None:
        view.keep("model_name", known.upper(), view.command_spot, "the script's name")


def name_by_place(view: View) -> None:
    """Name a model whose class has any model's name after the folder or script that it stands in."""
    entry = view.program.entry
    if entry is None:
        return
    folder, script = posixpath.split(entry.path)
    for name in (script.rpartition(".")[0], posixpath.basename(folder)):
        if family_of(name) is not None and name.lower() not in ("model", "models", "transformer"):
            view.keep("model_name", name, view.command_spot, f"the name of {entry.path}")


NO_NAMES = frozenset({"none", "auto", "default", "gpu", "cuda", "resume", "scratch", "train"})
WEIGHTS = (".pt", ".pth", ".ckpt", ".yaml", ".yml", ".json", ".bin")


def name_option(view: View) -> tuple[Val | None, bool]:
    """Give the option that names the model, if it is a name and no path or switch; weak if it may name a part of it."""
    first_weak = option_names()["model_name"].index("backbone")
    for rank, value in view.options("model_name"):
        text = value.data
        if not isinstance(text, str) or not 1 < len(text) < 120:
            continue
        if not text.endswith(WEIGHTS) and text.lower() not in NO_NAMES and "$" not in text:
            return value, rank >= first_weak
    return None, False


def fits(option: str, value: Val, name: str, weak: bool) -> bool:
    """Tell whether an option's text is another name of the object: what it was made by, or the more telling one."""
    data = value.data
    if isinstance(data, Made):
        texts = [arg.data for arg in [*data.args, *data.kwargs.values()] if isinstance(arg.data, str)]
        return option in texts or not data.is_object or family_of(option) is not None
    if name in PLAIN_MODELS or len(name) < 4:
        return True
    if weak and family_of(name) is not None:
        return False
    return family_of(option) is not None


def wrapped_object(view: View) -> Val | None:
    """Give what is wrapped for several devices, handed to a trainer or fitted."""
    for event in view.named(
        "DistributedDataParallel",
        "FullyShardedDataParallel",
        "DataParallel",
        "Trainer",
        "SFTTrainer",
        "DPOTrainer",
        "Seq2SeqTrainer",
        "GRPOTrainer",
        "fit",
    ):
        for candidate in (
            event.kwargs.get("model"),
            event.kwargs.get("module"),
            event.args[0] if event.args else None,
            event.owner if event.short == "fit" else None,
        ):
            found = origin(candidate)
            if found is not None and looks_like_model(found):
                return found
            if candidate is not None and isinstance(candidate.data, str) and event.short.endswith("Trainer"):
                return candidate
    for event in view.ending("deepspeed.initialize"):
        found = origin(event.kwargs.get("model"))
        if found is not None:
            return found
    return None


def looks_like_model(value: Val) -> bool:
    """Tell a network from loaders, optimizers, trainers and the like."""
    data = value.data
    if isinstance(data, Made) and (data.short in NO_MODELS or data.short.endswith(ABOUT_MODELS)):
        return False
    if isinstance(data, Instance):
        return any(name.rpartition(".")[2].endswith(MODEL_BASES) for name in data.cls.outside())
    if isinstance(data, Made):
        layer = layer_type({data.short}) is not None
        return data.short in LOADED or "model" in data.callee.lower() or layer or data.short == "Sequential"
    return False


def loaded_object(view: View) -> Val | None:
    """Give the repository's own network, the outermost of them, else a model that is loaded or made by name."""
    networks = [value for value in view.run.instances if looks_like_model(value)]
    if networks:
        return outermost(view, networks[0])
    for event in view.events:
        if event.short in LOADED and ("Model" in event.name or event.short.startswith(("create", "get_model"))):
            return event.result
        if event.name.startswith(
            ("torchvision.models.", "keras.applications.", "tensorflow.keras.applications.", "timm.models.")
        ):
            return event.result
    return None


def outermost(view: View, value: Val) -> Val:
    """Give the network that holds a network, and so on outwards."""
    holders = [one for one in view.run.instances if looks_like_model(one)]
    for _ in range(6):
        outer = next((one for one in holders if any(part is value.data for part in parts_of(one))), None)
        if outer is None or outer.data is value.data:
            return value
        value = outer
    return value


def parts_of(value: Val) -> list[object]:
    """Give the networks that a network holds."""
    found: list[object] = []
    for part in value.data.attrs.values():
        items = (
            part.data
            if isinstance(part.data, (list, tuple))
            else part.data.args
            if isinstance(part.data, Made)
            else [part]
        )
        for item in items:
            inner = item.data if isinstance(item, Val) else None
            found += [inner] if isinstance(inner, Instance) else inner_items(inner)
    return found


def inner_items(data: object) -> list[object]:
    """Give the networks in a list, as in `nn.Sequential(*layers)`."""
    items = data if isinstance(data, (list, tuple)) else ()
    return [item.data for item in items if isinstance(item, Val) and isinstance(item.data, Instance)]


def name_of(view: View, value: Val) -> tuple[str, tuple[Spot, ...]]:
    """Name a model by what it was made or loaded from."""
    data = value.data
    if isinstance(data, str):
        return tidy(data), value.src
    if isinstance(data, Instance):
        inner = inner_network(data)
        if inner is not None:
            name, spots = name_of(view, inner)
            if name:
                return name, (*spots, data.spot)
        return data.cls.name, (data.spot, data.cls.spot)
    if isinstance(data, Made):
        if data.short in LOADED:
            for arg in [
                data.kwargs.get("pretrained_model_name_or_path"),
                data.kwargs.get("model_name"),
                *data.args,
                *data.kwargs.values(),
            ]:
                if arg is not None and isinstance(arg.data, str) and arg.data and "$" not in arg.data:
                    return tidy(arg.data), arg.src or (data.spot,)
            return "", ()
        if data.callee.startswith(("stable_baselines3.", "sb3_contrib.")):
            return data.short, (data.spot,)
        if data.short in ("Sequential", "Model", "YOLO") and data.args and isinstance(data.args[0].data, str):
            return tidy(data.args[0].data), data.args[0].src
        if data.short[:1].isalpha() and data.short not in ("Sequential", "Model", "dict", "list", "apply", "load"):
            named = data.is_object or "model" in data.callee
            return (data.short, (data.spot, *callee_spots(data))) if named else ("", ())
    return "", ()


def callee_spots(data: Made) -> tuple[Spot, ...]:
    """Give where the texts came from that a model was made with."""
    return tuple(spot for arg in data.args[:1] for spot in arg.src)


def inner_network(data: Instance) -> Val | None:
    """Give the network inside a training module: `self.net`, `self.model`, `self.backbone`."""
    outside = " ".join(data.cls.outside())
    if "Lightning" not in outside and data.cls.name not in PLAIN_MODELS:
        return None
    for name in ("net", "model", "backbone", "network", "encoder"):
        value = data.attrs.get(name)
        if value is not None and value.data is not data and isinstance(value.data, (Instance, Made)):
            found = origin(value)
            if found is not None and looks_like_model(found):
                return found
    return None


def tidy(name: str) -> str:
    """Take folders of a local path off, and leave hub names as they are."""
    cleaned = name.strip().rstrip("/")
    if cleaned.count("/") > 1 or cleaned.startswith((".", "/", "~")):
        cleaned = posixpath.basename(cleaned)
    return cleaned.removesuffix(".pt").removesuffix(".pth").removesuffix(".yaml")


def describe(view: View, value: Val) -> None:
    """Tell the type from the layers that the model's own code builds with, unless its name is of a known family."""
    data = value.data
    name = view.get("model_name") or ""
    rival = is_adversarial(view)
    if rival is not None:
        view.keep("model_type", "gan", (rival.data.spot, rival.data.cls.spot))
    known = family_of(str(name))
    inner = inner_network(data) if isinstance(data, Instance) else None
    cls = data.cls if isinstance(data, Instance) else None
    if inner is not None and isinstance(inner.data, Instance):
        cls = inner.data.cls
    if isinstance(data, Made) and data.owner is not None and isinstance(data.owner.data, Class):
        own = family_of(data.owner.data.name)
        known = own if own is not None and own[0] == "multimodal" else known
    if isinstance(data, Made) and known is None:
        known = family_of(data.callee)
    if known is None and cls is not None:
        known = family_of(cls.name)
    if known is not None:
        view.keep(
            "model_type",
            kind_of_family(known[0]),
            view.values["model_name"].spots if "model_name" in view.values else value.src,
        )
        return
    if cls is not None:
        found = layers_of(view, cls)
        kind = layer_type(set(found))
        kind = "diffusion" if kind == "cnn" and diffuses(view) else kind
        if kind is not None:
            spots = tuple(found[name] for name in found if layer_type({name}) in (kind, "cnn"))
            view.keep("model_type", kind, spots[:2])
            return
    if isinstance(data, Made):
        if data.short in ("Linear", "Dense"):
            view.keep("model_type", "linear", (data.spot,))
        names = {inner.data.short: inner.data.spot for inner in nested_calls(data)}
        kind = layer_type(set(names))
        if kind is not None:
            view.keep("model_type", kind, tuple(names[name] for name in names if layer_type({name}) == kind)[:2])


def diffuses(view: View) -> bool:
    """Tell a program whose own files are about diffusion."""
    return any("diffusion" in path.lower() for path in view.run.trees)


def is_adversarial(view: View) -> Val | None:
    """Give the discriminator where a generator is trained against one."""
    names = {value.data.cls.name.lower(): value for value in view.run.instances}
    generator = next((name for name in names if "generator" in name or name in ("netg", "gen")), None)
    judge = next((name for name in names if "discriminator" in name or name in ("netd", "critic")), None)
    return names[judge] if generator and judge else None


def kind_of_family(kind: str) -> str:
    """Say that models of several senses are transformers, as all known families of them are."""
    return "multimodal transformer" if kind == "multimodal" else kind


def nested_calls(data: Made, depth: int = 0) -> list[Val]:
    """Give the layers that a sequential model was made of."""
    found: list[Val] = []
    for arg in [*data.args, *data.kwargs.values()]:
        items = arg.data if isinstance(arg.data, (list, tuple)) else [arg]
        for item in items:
            if isinstance(item, Val) and isinstance(item.data, Made) and depth < 4:
                found += [item, *nested_calls(item.data, depth + 1)]
    return found


def layers_of(view: View, cls: Class, depth: int = 0, seen: set[str] | None = None) -> dict[str, Spot]:
    """Give the layers that a class names in its body, with those of the repository's classes that it uses."""
    seen = seen if seen is not None else set()
    found: dict[str, Spot] = {}
    if cls.name in seen or depth > 4 or len(seen) > 40:
        return found
    seen.add(cls.name)
    for one in cls.lineage():
        for node in ast.walk(one.node):
            name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
            if not name:
                continue
            if layer_type({name}) is not None:
                found.setdefault(name, Spot(one.scope.path, getattr(node, "lineno", 1)))
            elif isinstance(node, ast.Name) and name[:1].isupper():
                below = one.scope.find(name)
                if below is not None and isinstance(below.data, Class):
                    for key, spot in layers_of(view, below.data, depth + 1, seen).items():
                        found.setdefault(key, spot)
    return found


def name_tells(view: View) -> None:
    """Take type and size that the name itself fixes."""
    found = view.values.get("model_name")
    if found is None:
        return
    family = family_of(str(found.value))
    if family is not None:
        view.keep("model_type", kind_of_family(family[0]), found.spots)
    size = size_of(str(found.value))
    if size is not None and known_dataset(str(found.value)) is None:
        view.keep("param_size", size, found.spots)
