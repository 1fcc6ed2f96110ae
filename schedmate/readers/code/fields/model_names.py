"""Which model is trained: its name, its type, its size."""

import posixpath
from dataclasses import dataclass

import re2

from schedmate.knowledge.datasets import known_dataset
from schedmate.knowledge.models import family_of, holds_a_model, is_generic, size_of, squash, without_role
from schedmate.knowledge.option_names import option_names
from schedmate.readers.code.evidence.config_sections import flattened
from schedmate.readers.code.evidence.origins import origin
from schedmate.readers.code.evidence.rule import Certainty, Rule
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.algorithms import algorithm_named
from schedmate.readers.code.fields.command_names import name_in_command
from schedmate.readers.code.fields.config_names import name_in
from schedmate.readers.code.fields.model_sizes import compute_size
from schedmate.readers.code.fields.model_types import describe, joined, learns_by_reinforcement
from schedmate.readers.code.fields.project import title_name
from schedmate.readers.code.fields.trained_network import LOADED, find_network, inner_network
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.objects import Class, ExternalResult, Instance
from schedmate.readers.code.values.value import COMMAND, SourceLocation, Value

PLAIN_PLACES = frozenset(
    {
        "diffusion",
        "gan",
        "gans",
        "rl",
        "model",
        "models",
        "net",
        "network",
        "networks",
        "transformer",
        "main",
        "train",
        "modules",
    }
)
"""Names of files and folders that say nothing of the model in them."""
CONFIGS = (".yaml", ".yml", ".json", ".toml", ".py", ".gin")
SIZED = re2.compile(r"(?i)^(.*?[-_]?\d+(?:\.\d+)?[bm])(?:$|[-_.])")
"""A name up to the size that stands in it."""


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


def network_of(view: View) -> NamedNetwork:
    """Find the network, and what it and the option that fits it say of its name."""
    value = find_network(view)
    option, weak = name_option(view)
    if value is None:
        return NamedNetwork(None, "", "", (), option)
    own, spots = name_of(view, value)
    name = own
    if option is not None and (fits(view, option, value, own, weak) or names_holder(view, value, str(option.data))):
        name, spots = completed(own, tidy(str(option.data))), (*option.src, *spots)
    return NamedNetwork(value, own, name, spots, option)


def by_algorithm(view: View) -> None:
    """Name what learns by reinforcement after its algorithm."""
    found = algorithm_named(view)
    if found is not None:
        view.keep("model_name", *found)


def by_weights(view: View) -> None:
    """Name a model whose class has any model's name, or that was not found, after the weights that it starts from."""
    known = view.once(network_of)
    if is_generic(known.own) if known.value is not None else named_by_files(view, known):
        name_by_weights(view)


def by_file(view: View) -> None:
    """Name a model whose class has any model's name after the file of the class, then after the program's place."""
    known = view.once(network_of)
    if known.value is not None and is_generic(known.own):
        name_by_module(view, known.value)
        name_by_place(view)


def by_configuration(view: View) -> None:
    """Take a configuration's name where it says more than the object and the option."""
    known = view.once(network_of)
    if known.value is not None:
        name_by_config(view, known.name)
    elif names_alone(view, known):
        name_by_config(view, str(known.option.data) if known.option is not None else "")
    elif named_by_files(view, known):
        name_by_config(view, "")


def by_title(view: View) -> None:
    """Take the project's title where nothing better than any model's name was found."""
    known = view.once(network_of)
    if known.value is not None:
        if is_generic(known.name):
            title_name(view)
    elif names_alone(view, known):
        if known.option is not None and size_of(str(known.option.data)) == str(known.option.data):
            title_name(view, known=True)
            view.keep("param_size", str(known.option.data), known.option.src)
    elif named_by_files(view, known):
        title_name(view, known=True)


def by_network(view: View) -> None:
    """Take the name of the network that is trained, and what it is built as; else the option that names one."""
    known = view.once(network_of)
    if known.value is not None:
        if known.name:
            view.keep("model_name", known.name, known.spots)
        describe(view, known.value)
    elif known.option is not None and names_alone(view, known):
        view.keep("model_name", str(known.option.data), known.option.src)


def names_alone(view: View, known: NamedNetwork) -> bool:
    """Tell an option that names the model of which no object was found."""
    return known.value is None and known.option is not None and view.get("is_training") is not False


def named_by_files(view: View, known: NamedNetwork) -> bool:
    """Tell a model that neither an object nor an option names, in a program that computes with a framework."""
    return known.value is None and not names_alone(view, known) and view.get("framework") is not None


def by_command(view: View) -> None:
    """Take the model that the command names anywhere."""
    name_in_command(view, "model_name")


def by_arithmetic(view: View) -> None:
    """Work the size out from the shape."""
    compute_size(view, view.once(network_of).value)


def completed(name: str, option: str) -> str:
    """Put what a holder's class is named after before an option that alone says less: `CLIP (RN50)`."""
    if option in name or (size_of(name) and not size_of(option) and family_of(name) == family_of(option) is not None):
        return name
    family, other = family_of(name), family_of(option)
    if family is not None and other != family and family.fine.startswith("self-supervised"):
        return f"{name} ({option})"
    if holds_a_model(name) and family_of(option) is None and family_of(name) is not None:
        return f"{without_role(name)} ({option})"
    return option


def name_by_weights(view: View) -> None:
    """Name a model whose class has any model's name after the weights that it starts from."""
    for rank, value in [*view.declared("model_weights"), *view.options("model_weights")]:
        text = value.data
        given = rank < 2 or any(spot.path == COMMAND for spot in value.src)
        if isinstance(text, str) and given and text and "$" not in text:
            stem = posixpath.basename(tidy(text)).removesuffix(".pkl").removesuffix(".ckpt")
            if family_of(stem) is not None:
                view.keep("model_name", stem, value.src, "the weights that it starts from")


def name_by_module(view: View, value: Value) -> None:
    """Name a model whose class has any model's name after the file that the class stands in, as `models/dlinear.py`."""
    data = value.data
    if not isinstance(data, Instance) or (view.program.entry and data.cls.scope.path == view.program.entry.path):
        return
    stem = posixpath.basename(data.cls.scope.path).rpartition(".")[0]
    if stem.lower() not in PLAIN_PLACES and family_of(stem) is not None:
        view.keep("model_name", stem, (data.cls.spot, data.spot), f"the name of {data.cls.scope.path}")


def name_by_place(view: View) -> None:
    """Name a model whose class has any model's name after the folder or script that it stands in."""
    entry = view.program.entry
    if entry is None:
        return
    folder, script = posixpath.split(entry.path)
    for name in (without_verb(script.rpartition(".")[0]), posixpath.basename(folder)):
        if family_of(name) is not None and name.lower() not in PLAIN_PLACES:
            view.keep("model_name", name, view.command_spot, f"the name of {entry.path}")


VERB = re2.compile(
    r"(?i)^(?:run|main|launch|start|demo|example|(?:pre-?)?train(?:ing)?|finetun(?:e|ing)|fine_tune|eval(?:uate)?|test"
    r"|sample|generate|infer(?:ence)?|predict)[_-]+(?:with[_-]+)?"
)


def without_verb(name: str) -> str:
    """Take what a script does off its name: `run_alphafold` is about alphafold."""
    rest = str(VERB.sub("", name))
    return rest if family_of(rest) is not None else name


ASIDE_FILES = re2.compile(r"(?i)(?:^|[-_.])(vocab\w*|merges|tokenizer\w*|bpe|dict|labels?|classes)(?:$|[-_.])")
"""Names of files that hold no settings of a model."""


def name_by_config(view: View, name: str) -> None:
    """Take a configuration's name that says more than the name found so far: a family's size, or all of it."""
    family = family_of(name) if name else None
    for word in view.launch.words if view.program.found else ():
        stem = config_stem(word_text(word), view.launch.name)
        known, sized = family_of(stem), SIZED.search(stem)
        if known is None or (name and not is_generic(name) and known != family):
            continue
        longer = squash(stem).startswith(squash(name)) and known.usual == "image classification"
        if sized is not None and size_of(name) is None:
            view.keep("model_name", sized.group(1), word.src or view.command_spot, "the configuration's name")
        elif not name or is_generic(name) or longer:
            view.keep("model_name", stem, word.src or view.command_spot, "the configuration's name")


def config_stem(text: str, program: str) -> str:
    """Name a configuration after its file, and after the folder above that names a family where the file does not."""
    if not text.endswith(CONFIGS) or "$" in text or text == program or ASIDE_FILES.search(posixpath.basename(text)):
        return ""
    text = text.partition("=")[2] if text.startswith("--") else text
    *folders, file = text.split("/")
    stem = file.rpartition(".")[0]
    if family_of(stem) is not None:
        return stem
    above = next((folder for folder in reversed(folders[-2:]) if family_of(folder) is not None), "")
    return f"{above}-{stem}" if above else ""


NO_NAMES = frozenset(
    {"none", "auto", "default", "gpu", "cuda", "resume", "scratch", "train", "model", "net", "network"}
)
RUN_NAME = re2.compile(r"(?i)[_-](?:lr|bsz?|batch|seed|trial|wd|decay|epochs?|ep)[_=-]?\d")
"""What stands in a name that a program gives a run of a model: settings with their values."""
WEIGHTS = (".pt", ".pth", ".ckpt", ".yaml", ".yml", ".json", ".bin")


def name_option(view: View) -> tuple[Value | None, bool]:
    """Give the option that names the model, if it is a name and no path or switch; weak if it may name a part of it."""
    first_weak = option_names()["model_name"].index("backbone")
    for rank, option in view.options("model_name"):
        value = name_in(option) or option
        text = value.data
        if not isinstance(text, str) or not 1 < len(text) < 120:
            continue
        if (
            not text.endswith(WEIGHTS)
            and text.lower() not in NO_NAMES
            and "$" not in text
            and not RUN_NAME.search(text)
        ):
            return value, rank >= first_weak
    return None, False


def fits(view: View, named: Value, value: Value, name: str, weak: bool) -> bool:
    """Tell whether an option's text is another name of the object: what it was made by, or the more telling one."""
    data, option = value.data, str(named.data)
    if isinstance(data, ExternalResult):
        texts = [arg.data for arg in [*data.args, *data.kwargs.values()] if isinstance(arg.data, str)]
        return option in texts or not data.is_object or family_of(option) is not None
    if is_generic(name) and family_of(option) is None and not (view.is_told(named) or is_declared(view, named)):
        return False
    if is_generic(name) or (len(name) < 4 and family_of(name) is None) or (holds_a_model(name) and not weak):
        return True
    family, other = family_of(name), family_of(option)
    of_a_part = family is not None and other != family and any(spot.path.endswith(".py") for spot in named.src[:1])
    return other is not None and not of_a_part and not (weak and family is not None)


def is_declared(view: View, named: Value) -> bool:
    """Tell an option of the program's from a setting of one of its parts, which code alone hands on."""
    if not named.src or not named.src[0].path.endswith(".py"):
        return True
    return any(value.src == named.src for mapping in view.namespaces for _, value in flattened(mapping))


def names_holder(view: View, value: Value, option: str) -> bool:
    """Tell an option that picks the class by whose name the network is held and trained: `--model swap`, SwapModel."""
    for one in view.run.instances:
        name = squash(one.data.cls.name)
        if name.startswith(squash(option)) and name[len(squash(option)) :] in ("model", "trainer", "net", "learner"):
            held = [origin(part) for part in one.data.attrs.values()]
            return any(part is not None and part.data is value.data for part in held)
    return False


def name_of(view: View, value: Value) -> tuple[str, tuple[SourceLocation, ...]]:
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
    return name_of_made(view, data) if isinstance(data, ExternalResult) else ("", ())


def name_of_made(view: View, data: ExternalResult) -> tuple[str, tuple[SourceLocation, ...]]:
    """Name a model that a library made: by what it loads, by its own name, by its class."""
    if data.short in LOADED:
        for arg in [
            data.kwargs.get("pretrained_model_name_or_path"),
            data.kwargs.get("model_name"),
            *data.args,
            *data.kwargs.values(),
        ]:
            if arg is not None and isinstance(arg.data, str) and arg.data and "$" not in arg.data:
                return own_name(view, data, tidy(arg.data)), arg.src or (data.spot,)
        return "", ()
    if data.callee.startswith(("stable_baselines3.", "sb3_contrib.")):
        return data.short, (data.spot,)
    if data.short in ("Sequential", "Model", "YOLO") and data.args and isinstance(data.args[0].data, str):
        return tidy(data.args[0].data), data.args[0].src
    if data.short[:1].isalpha() and data.short not in ("Sequential", "Model", "dict", "list", "apply", "load"):
        named = data.is_object or "model" in data.callee
        return (data.short, (data.spot, *callee_spots(data))) if named else ("", ())
    return "", ()


def own_name(view: View, data: ExternalResult, base: str) -> str:
    """Put the class before the weights that it is filled with, where it is the one that tells what they are."""
    cls = data.owner.data if data.owner is not None else None
    if not isinstance(cls, Class):
        loader = data.callee.rpartition(".")[0].rpartition(".")[2]
        chosen = any(event.sure and event.result.data is data for event in view.events)
        says_more = chosen and family_of(base) is None and family_of(loader) is not None
        return f"{loader.partition('For')[0]} ({base})" if says_more else base
    family = family_of(cls.name)
    if family is None or family.task != "multimodal" or family_of(base) == family:
        return base
    return f"{cls.name.partition('For')[0]} ({base})"


def callee_spots(data: ExternalResult) -> tuple[SourceLocation, ...]:
    """Give where the texts came from that a model was made with."""
    return tuple(spot for arg in data.args[:1] for spot in arg.src)


def tidy(name: str) -> str:
    """Take folders of a local path off, and leave hub names as they are."""
    cleaned = name.strip().rstrip("/")
    if cleaned.count("/") > 1 or cleaned.startswith((".", "/", "~")):
        cleaned = posixpath.basename(cleaned)
    return cleaned.removesuffix(".pt").removesuffix(".pth").removesuffix(".yaml")


def name_tells(view: View) -> None:
    """Take type and size that the name itself fixes."""
    found = view.values.get("model_name")
    if found is None:
        return
    family = family_of(str(found.value))
    if family is not None:
        view.keep("model_type", joined(family.kind, None), found.spots)
    if learns_by_reinforcement(view):
        view.keep("model_type", "rl", found.spots)
    size = size_of(str(found.value))
    if size is not None and known_dataset(str(found.value)) is None:
        view.keep("param_size", size, found.spots)


RULES = (
    Rule("model", Certainty.SEEN + 80, "the algorithm", by_algorithm),
    Rule("model", Certainty.SEEN + 70, "the weights", by_weights),
    Rule("model", Certainty.SEEN + 60, "files and folders", by_file),
    Rule("model", Certainty.SEEN + 50, "the configuration's name", by_configuration),
    Rule("model", Certainty.SEEN + 40, "the project's title", by_title),
    Rule("model", Certainty.SEEN + 30, "the network and its option", by_network),
    Rule("model", Certainty.SEEN + 20, "the command", by_command),
    Rule("model", Certainty.SEEN + 10, "the name's own meaning", name_tells),
    Rule("model", Certainty.SEEN, "the network's shape", by_arithmetic),
)
