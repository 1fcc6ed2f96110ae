"""What the network that is trained is called: by class, by what it loads, by its holder, by the option that fits it."""

import posixpath
from dataclasses import dataclass

from schedmate.knowledge.models import (
    BACKBONES_LEARN,
    family_of,
    holds_a_model,
    is_rival,
    layer_type,
    size_of,
    tells_no_model,
    without_role,
)
from schedmate.knowledge.tasks import is_phrase, task_in_words, words_of
from schedmate.readers.code.evidence.config_sections import flattened
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.encoder_frames import told_network
from schedmate.readers.code.fields.networks.hub_cache import as_on_hub
from schedmate.readers.code.fields.networks.maker_functions import is_builder, name_by_maker
from schedmate.readers.code.fields.networks.model_options import NO_NAMES, known_end, name_option
from schedmate.readers.code.fields.networks.nested_calls import nested_calls
from schedmate.readers.code.fields.networks.networks_beside import MEASURES
from schedmate.readers.code.fields.networks.networks_of_helpers import names_helper
from schedmate.readers.code.fields.networks.picked_classes import (
    class_named_by,
    is_title,
    names_holder,
    names_module,
    names_part,
    told_part,
)
from schedmate.readers.code.fields.networks.tidy_names import tidy
from schedmate.readers.code.fields.networks.trained_network import (
    HOUSES,
    LOADED,
    PASSING,
    WRAPPERS,
    find_network,
    inner_network,
    is_model_class,
    looks_like_model,
    origin,
)
from schedmate.readers.code.fields.words.algorithms import learns_to_act
from schedmate.readers.code.sizes.ready_networks import part_by_itself
from schedmate.readers.code.values.objects import Class, ExternalResult, Instance
from schedmate.readers.code.values.value import SourceLocation, Unknown, Value, sequence_of, ways_of

PARTS_OF_AGENTS = ("Policy", "Actor", "Critic", "QFunction", "ValueFunction")
"""How networks are called that an agent acts or judges with: the job is named after its algorithm, or not at all."""


DEEPEST = 8
"""How far inwards a network is named after the one that it holds or is loaded from: one may even hold itself."""


@dataclass(frozen=True)
class NamedNetwork:
    """The network that was found and the option that names one: what a model is named by."""

    value: Value | None
    own: str
    """What the object itself is called."""
    name: str
    """The same, completed by the option where that is another name of it."""
    spots: tuple[SourceLocation, ...]
    option: Value | None
    unresolved: bool = False
    """It is one of several networks between which the run decides: only an option may name it."""


def network_of(view: View) -> NamedNetwork:
    """Find the network, and what it and the option that fits it say of its name."""
    option, weak = name_option(view)
    if option is not None and option.src and MEASURES.search(option.src[0].path):
        option = None  # a loss that looks through a network is told of that one
    value = class_named_by(view, option) or find_network(view)
    networks = [one for one in view.run.instances if looks_like_model(one)]
    if option is not None and names_helper(view, option, value, networks):
        option = None
    if value is None:
        return NamedNetwork(None, "", "", (), option)
    unresolved = isinstance(value.data, Instance) and has_rival_network(value.data)
    own, spots = name_of(view, value) if not unresolved else ("", ())
    if is_rival(own) or ((own.endswith(PARTS_OF_AGENTS) or own.startswith("ActorCritic")) and learns_to_act(view)):
        own, spots = "", ()
        option = None if weak else option  # what a part of it stands on is not what it is called
    name = own
    chosen = str(option.data) if option is not None else ""
    if (
        option is not None
        and not is_title(view, own)
        and (
            fits(view, option, value, own, weak)
            or names_holder(view, value, chosen)
            or names_part(value, chosen)
            or names_module(value, chosen)
        )
    ):
        name, spots = completed(own, tidy(str(option.data))), (*option.src, *spots)
    elif (part := told_part(view, value, own)) is not None:
        name, spots = str(part.data), (*part.src, *spots)
    bare = without_role(name)
    if name == own and bare != name and family_of(bare) is not None and family_of(bare) == family_of(name):
        name = bare  # `NeRFSystem` holds a NeRF
    return NamedNetwork(value, own, name, spots, option, unresolved)


def has_rival_network(network: Instance) -> bool:
    """Tell a network in whose place the run may have another; of plain classes, as TensorFlow 1 has, any is one."""
    return any(is_model_class(rival) or not is_model_class(network.cls) for rival in network.rivals)


def completed(name: str, option: str) -> str:
    """Put what a holder's class is named after before an option that alone says less: `CLIP (RN50)`."""
    if option in name or (size_of(name) and not size_of(option) and family_of(name) == family_of(option) is not None):
        return name
    family, other = family_of(name), family_of(option)
    if (
        family is not None
        and other != family
        and (family.fine.startswith("self-supervised") or family.task == "multimodal")
    ):
        return f"{name} ({option})"
    if holds_a_model(name) and family_of(option) is None and family_of(name) is not None:
        return f"{without_role(name)} ({option})"
    return option


NAMING = ("model", "name", "arch", "path", "encoder", "config")
"""What stands in the keys of arguments that say what is loaded."""

NO_MAKERS = ("Sequential", "Model", "FeedForward", "dict", "list", "apply", "load")


def fits(view: View, named: Value, value: Value, name: str, weak: bool) -> bool:
    """Tell whether an option's text is another name of the object: what it was made by, or the more telling one."""
    data, option = value.data, str(named.data)
    if isinstance(data, ExternalResult) and part_by_itself(data, option) is not None:
        return False  # of what has this name only a part is trained
    if isinstance(data, ExternalResult):
        texts = [arg.data for arg in [*data.args, *data.kwargs.values()] if isinstance(arg.data, str)]
        if option in texts or family_of(option) is not None:
            return True
        return not data.is_object and family_of(name) is None  # a setting's own word (`model=big`) tells less
    plain = tells_no_model(name) or says_only_task(name)
    if plain and family_of(option) is None and not (view.is_told(named) or is_declared(view, named)):
        return False
    if plain or (len(name) < 4 and family_of(name) is None) or (holds_a_model(name) and not weak):
        return True
    family, other = family_of(name), family_of(option)
    of_a_part = family is not None and other != family and any(spot.path.endswith(".py") for spot in named.src[:1])
    return other is not None and not of_a_part and not (weak and family is not None)


def says_only_task(name: str) -> bool:
    """Tell a class that is named after what is learned and nothing else: `GraphRegression`, `ImageClassifier`."""
    return family_of(name) is None and task_in_words(name) is not None and is_phrase(words_of(name))


def is_declared(view: View, named: Value) -> bool:
    """Tell an option of the program's from a setting of one of its parts, which code alone hands on."""
    if not named.src or not named.src[0].path.endswith(".py"):
        return True
    return any(value.src == named.src for mapping in view.namespaces for _, value in flattened(mapping))


def name_of(view: View, value: Value, depth: int = 0) -> tuple[str, tuple[SourceLocation, ...]]:
    """Name a model by what it was made or loaded from."""
    data = value.data
    if depth > DEEPEST:
        return "", ()
    if isinstance(data, str):
        return tidy(data), value.src
    if isinstance(data, Instance):
        inner = inner_network(data)
        if inner is not None:
            name, spots = name_of(view, inner, depth + 1)
            if name:
                return name, (*spots, data.spot)
        return name_by_maker(view, data) or (name_on_backbone(data.cls), (data.spot, data.cls.spot))
    return name_of_made(view, data, depth) if isinstance(data, ExternalResult) else ("", ())


def name_on_backbone(cls: Class) -> str:
    """Name a class that is called after its backbone and extends the network which stands on it: `FasterRCNN (vgg)`."""
    own = family_of(cls.name)
    if own is not None and own.usual == BACKBONES_LEARN:
        for base in cls.lineage()[1:]:
            family = family_of(base.name)
            if family is not None and family.usual != BACKBONES_LEARN and family.task == own.task:
                return f"{base.name.strip('_')} ({cls.name})"
    return cls.name


def name_of_made(view: View, data: ExternalResult, depth: int) -> tuple[str, tuple[SourceLocation, ...]]:
    """Name a model that a library made: by what it loads, by its own name, by its class."""
    if data.short in LOADED:
        named = [data.kwargs.get(key) for key in ("pretrained_model_name_or_path", "model_name")]
        telling = [value for key, value in data.kwargs.items() if any(part in key for part in NAMING)]
        for arg in [as_on_hub(arg) for arg in (*named, *data.args, *telling) if arg is not None]:
            if inner := name_of_ways(view, arg, depth + 1):
                return inner, (*arg.src, data.spot)
            if isinstance(arg.data, Unknown):
                ways = sorted(ways_of(arg), key=lambda way: len(str(way.data)))
                alike = len({posixpath.basename(way.data) if isinstance(way.data, str) else way for way in ways}) == 1
                known = alike and isinstance(ways[0].data, str)
                return (tidy(ways[0].data), ways[0].src or (data.spot,)) if known else ("", ())
            end = known_end(arg)
            text = end.data if isinstance(end.data, str) else ""
            if text and text.lower() not in NO_NAMES and "$" not in text:
                return own_name(view, data, tidy(text)), end.src or (data.spot,)
        return "", ()
    if (told := told_network(data)) is not None:
        return tidy(told.data), (*told.src, data.spot)
    if data.callee.startswith(("stable_baselines3.", "sb3_contrib.")):
        return data.short, (data.spot,)
    if data.short in ("Sequential", "Model", "YOLO") and data.args and isinstance(data.args[0].data, str):
        return tidy(data.args[0].data), data.args[0].src
    parts = [arg for arg in data.args if data.short == "Sequential" and is_network(arg)]
    if len(parts) == 1:
        return name_of(view, parts[0], depth + 1)
    if data.short in ("Sequential", "Model", "Functional"):
        return name_of_ready(view, data, depth)
    readies = data.short in WRAPPERS or data.short in PASSING
    if data.short[:1].isalpha() and data.short not in NO_MAKERS and not readies and not is_builder(data.short):
        makes_model = data.is_object or "model" in data.short or holds_models(data.callee)
        texts = tuple(spot for arg in data.args[:1] for spot in arg.src)
        return (data.short, (data.spot, *texts)) if makes_model else ("", ())
    return "", ()


def name_of_ready(view: View, data: ExternalResult, depth: int) -> tuple[str, tuple[SourceLocation, ...]]:
    """Name a network that is put together after the ready one that it stands on."""
    calls = {id(inner.data): inner.data for inner in nested_calls(data)}.values()
    loaded = [one for one in calls if one.short == "from_pretrained" and "Model" in one.callee]
    made = [one for one in calls if one.callee.startswith(HOUSES)]
    if len(loaded) == 1 and not made:
        return name_of_made(view, loaded[0], depth + 1)
    ready = [one for one in made if one.owner is None or one.short.endswith("()")]  # `base.get_layer("top")` is a part
    if not ready or any(learns_before(one) for one in ready):
        return "", ()
    return ready[0].short.removesuffix("()"), (ready[0].spot,)


def learns_before(ready: ExternalResult) -> bool:
    """Tell a ready network that is shown what other layers made of the input: it judges them, and is not the model."""
    shown = [arg.data for arg in ready.args if isinstance(arg.data, ExternalResult)]
    made = [call for one in shown for call in (one, *(inner.data for inner in nested_calls(one)))]
    learning = [call for call in made if layer_type({call.short.removesuffix("()")}) is not None]
    shapes = [call.kwargs.get("shape") or next(iter(call.args), None) for call in made if call.short == "Input"]
    coloured = any(sequence_of(shape) and sequence_of(shape)[-1].data == 3 for shape in shapes)
    return bool(learning) and (coloured or len(learning) > 2 or not all(makes_colours(call) for call in learning))


def makes_colours(layer: ExternalResult) -> bool:
    """Tell a layer that makes three channels of a grey input, as a ready network of images wants them."""
    made = layer.owner.data if layer.short.endswith("()") and layer.owner is not None else layer
    channels = made.kwargs.get("filters") or next(iter(made.args), None) if isinstance(made, ExternalResult) else None
    return channels is not None and channels.data == 3


def holds_models(callee: str) -> bool:
    """Tell a function that stands in a module of models, as `models.resnet50` does; `model_selection` holds none."""
    return any(part.endswith(("model", "models", "model_zoo")) for part in callee.split(".")[:-1])


def name_of_ways(view: View, value: Value, depth: int) -> str:
    """Name the loaded model that another one is made from: `with_value_head.from_pretrained(model)`, if ways agree."""
    loaded = [found for way in ways_of(value) if (found := origin(way)) and isinstance(found.data, ExternalResult)]
    names = {name_of(view, one, depth)[0] for one in loaded if one.data.short in LOADED}
    return names.pop() if len(names) == 1 else ""


def is_network(value: Value) -> bool:
    """Tell a whole network among a sequence's parts from a layer, such as what extends Keras' `Layer`."""
    data = value.data
    if isinstance(data, Instance) and any(base.endswith("Layer") and "keras" in base for base in data.cls.outside()):
        return False
    return looks_like_model(value) and not (isinstance(data, ExternalResult) and layer_type({data.short}))


def own_name(view: View, data: ExternalResult, base: str) -> str:
    """Put the class before the weights that it is filled with, where it is the one that tells what they are."""
    cls = data.owner.data if data.owner is not None else None
    if (part := part_by_itself(data, base)) is not None:
        return part
    if not isinstance(cls, Class):
        loader = data.callee.rpartition(".")[0].rpartition(".")[2]
        chosen = any(event.sure and event.result.data is data for event in view.events)
        says_more = chosen and family_of(base) is None and family_of(loader) is not None
        name = loader.partition("For")[0]
        return (f"{name} ({base})" if base else name) if says_more else base
    family = family_of(cls.name)
    if family is None or family.task != "multimodal" or family_of(base) == family:
        return base
    name = cls.name.partition("For")[0]
    return f"{name} ({base})" if base else name
