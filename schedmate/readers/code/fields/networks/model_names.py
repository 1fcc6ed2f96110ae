"""Which model is trained: its name, its type, its size."""

import posixpath
from functools import partial

import re2

from schedmate.knowledge.code_words import meanings, words
from schedmate.knowledge.datasets import known_dataset
from schedmate.knowledge.models import (
    family_of,
    named_class,
    size_of,
    squash,
    tells_no_model,
    written_size,
)
from schedmate.readers.code.evidence.proposals import Basis
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.configuration_names import name_by_config
from schedmate.readers.code.fields.networks.kind_names import KINDS, by_kind, name_of_kind
from schedmate.readers.code.fields.networks.known_sizes import is_made_small, is_named_by_maker, stands_on
from schedmate.readers.code.fields.networks.model_options import NO_NAMES
from schedmate.readers.code.fields.networks.model_sizes import compute_size, count_layers, is_rebuilt
from schedmate.readers.code.fields.networks.model_types import (
    PLAIN_TYPES,
    class_of,
    describe,
    is_adversarial,
    joined,
    layers_kind,
    learns_by_reinforcement,
)
from schedmate.readers.code.fields.networks.named_layers import layers_of
from schedmate.readers.code.fields.networks.network_names import NamedNetwork, name_of, network_of
from schedmate.readers.code.fields.networks.picked_classes import is_picked_module
from schedmate.readers.code.fields.networks.run_names import names_run
from schedmate.readers.code.fields.networks.size_tables import by_readme
from schedmate.readers.code.fields.networks.taped_networks import spots_of
from schedmate.readers.code.fields.networks.tidy_names import tidy
from schedmate.readers.code.fields.networks.trained_network import is_model_class
from schedmate.readers.code.fields.words.algorithms import algorithm_named
from schedmate.readers.code.fields.words.command_names import name_in_command
from schedmate.readers.code.fields.words.project_words import title_name
from schedmate.readers.code.values.objects import ExternalResult, Instance
from schedmate.readers.code.values.value import Value

PLAIN_PLACES = frozenset(words("networks.plain_places"))
"""Names of files and folders that say nothing of the model in them."""

NAMED_LAYERS = meanings("networks.named_after_layers")

BACKBONES = words("networks.backbones")
"""Under which names a network holds the one that it stands on."""


def by_algorithm(view: View) -> None:
    """Name what learns by reinforcement after its algorithm."""
    found = algorithm_named(view)
    if found is not None:
        view.keep("model_name", *found)


def by_weights(view: View) -> None:
    """Name a model whose class has any model's name, or that was not found, after the weights that it starts from."""
    known = view.once(network_of)
    fits = tells_no_model(known.own) if known.value is not None else named_by_files(view, known)
    if not fits and not is_plain_head(known):
        return
    for rank, value in [*view.declared("model_weights"), *view.options("model_weights")]:
        text = value.data
        given = rank < 2 or view.is_told(value)
        if isinstance(text, str) and given and text and "$" not in text:
            stem = named_release(text) or posixpath.basename(tidy(text)).removesuffix(".pkl").removesuffix(".ckpt")
            if family_of(stem) is not None and not names_run(stem) and (fits or makes_one_of(view, stem)):
                view.keep("model_name", stem, value.src, basis=Basis.WEIGHTS)


RELEASED = re2.compile(r"^.*/([^/]*\bL-\d+_H-\d+[^/]*)/(\w+)_model\.ckpt$")
"""Where the makers of BERT lay weights: in a folder called after their shape, in a file that is called alike in all."""


def named_release(path: str) -> str:
    """Name weights after the folder of their release where their file only says the family."""
    found = RELEASED.match(path.replace("_L-", " L-"))
    return f"{found.group(2).upper()} ({found.group(1).replace(' L-', '_L-')})" if found is not None else ""


def is_plain_head(known: NamedNetwork) -> bool:
    """Tell a network that is no module of a library's: it may stand on one that is filled with weights."""
    data = known.value.data if known.value is not None else None
    return isinstance(data, Instance) and not is_model_class(data.cls)


def makes_one_of(view: View, stem: str) -> bool:
    """Tell a program that makes an object of the family after which its weights are named."""
    return any(
        value.data.cls.name.endswith("Model") and family_of(value.data.cls.name) == family_of(stem)
        for value in view.run.instances
    )


def by_file(view: View) -> None:
    """Name a model whose class has any model's name after the file of the class, then after the program's place."""
    known = view.once(network_of)
    if known.value is not None and tells_no_model(known.own) and not known.unresolved:
        name_by_module(view, known.value)
        if not names_family(view, known.option):
            name_by_place(view, known.value)


def names_family(view: View, option: Value | None) -> bool:
    """Tell an option of the command's that names a model of a known family."""
    return option is not None and view.is_told(option) and family_of(str(option.data)) is not None


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
        named = known.unresolved or is_told_name(view, known) or is_one_that_is_picked(view, known.value)
        if tells_no_model(known.name) and not named:
            title_name(view)
    elif names_alone(view, known):
        if known.option is not None and size_of(str(known.option.data)) == str(known.option.data):
            title_name(view, known=True)
            view.keep("param_size", str(known.option.data), known.option.src)
    elif named_by_files(view, known):
        title_name(view, known=True)


def is_one_that_is_picked(view: View, value: Value) -> bool:
    """Tell a network from a module that the program picks by a name: of several, the project's title names none."""
    data = value.data
    path = data.cls.scope.path if isinstance(data, Instance) else ""
    return bool(path) and is_picked_module(view, posixpath.basename(path).removesuffix(".py"))


def by_network(view: View) -> None:
    """Take the name of the network that is trained, and what it is built as; else the option that names one."""
    known = view.once(network_of)
    if known.value is not None:
        if known.name and (is_told_name(view, known) or not tells_no_model(known.name)):
            view.keep("model_name", known.name, known.spots)
        if not known.unresolved:
            describe(view, known.value)
    elif known.option is not None and names_alone(view, known):
        named = str(known.option.data)
        is_path = named.startswith((".", "/", "~"))
        view.keep("model_name", tidy(named) if is_path else named_class(named), known.option.src)


def is_told_name(view: View, known: NamedNetwork) -> bool:
    """Tell a name that the command itself gives the network."""
    return known.option is not None and view.is_told(known.option) and known.name == tidy(str(known.option.data))


def by_opponent(view: View) -> None:
    """Call a network without a name of its own a GAN where another one judges what it makes."""
    known = view.once(network_of)
    rival = is_adversarial(view) if known.value is not None and not known.unresolved else None
    if rival is not None and known.value is not None and tells_no_model(known.name):
        view.keep("model_name", "GAN", spots_of(rival), "one network judges what another one makes")


def by_parts(view: View) -> None:
    """Name a network whose class has any model's name after the one in it, or after the graph layers that it is all of.

    A layer's kind beside others is the network's type, and no name: what has a `GCNConv` and a head is no GCN.
    """
    known = view.once(network_of)
    if known.value is None or known.unresolved or not tells_no_model(known.name):
        return
    if not isinstance(known.value.data, Instance):
        return
    for key in BACKBONES:
        part = known.value.data.attrs.get(key)
        name, spots = name_of(view, part) if part is not None else ("", ())
        if name and family_of(name) is not None:
            view.keep("model_name", name, (*spots, *known.spots), "the network inside it")
            return
    layers = layers_of(view, class_of(known.value.data))
    if len(layers) == 1 and NAMED_LAYERS.keys() >= layers.keys():
        name, spot = next(iter(layers.items()))
        view.keep("model_name", NAMED_LAYERS[name], (spot, *known.spots), "all that it is built of")


def names_alone(view: View, known: NamedNetwork) -> bool:
    """Tell an option that names the model of which no object was found."""
    return known.value is None and known.option is not None and view.get("is_training") is not False


def named_by_files(view: View, known: NamedNetwork) -> bool:
    """Tell a model that neither an object nor an option names, in a program that computes with a framework."""
    return known.value is None and not names_alone(view, known) and view.get("framework") is not None


def name_by_module(view: View, value: Value) -> None:
    """Name a model whose class has any model's name after the file that the class stands in, as `models/dlinear.py`."""
    data = value.data
    if not isinstance(data, Instance) or (view.program.entry and data.cls.scope.path == view.program.entry.path):
        return
    stem = posixpath.basename(data.cls.scope.path).rpartition(".")[0]
    family, kind = family_of(stem), layers_kind(view, value)[0]
    if family is not None and kind in PLAIN_TYPES and family.kind in PLAIN_TYPES and kind != family.kind:
        return  # a word of other families, too: the network is built of something else
    if stem.lower() in NO_NAMES:
        return
    if stem.lower() not in PLAIN_PLACES and (family_of(stem) is not None or is_picked_module(view, stem)):
        view.keep("model_name", stem, (data.cls.spot, data.spot), f"the name of {data.cls.scope.path}")


def name_by_place(view: View, value: Value) -> None:
    """Name a model whose class has any model's name after the folder or script that it stands in.

    A folder that only says a kind, `RNN`, tells less than the layers of a network which is seen.
    """
    entry = view.program.entry
    if entry is None:
        return
    seen = isinstance(value.data, ExternalResult) and name_of_kind(layers_kind(view, value)[0], value.data) is not None
    folder, script = posixpath.split(entry.path)
    for name in (without_verb(script.rpartition(".")[0]), posixpath.basename(folder)):
        if seen and squash(name) in KINDS:
            continue
        if family_of(name) is not None and name.lower() not in PLAIN_PLACES:
            view.keep("model_name", name, view.command_spot, f"the name of {entry.path}")


VERB = re2.compile(
    r"(?i)^(?:(?:(?:multi|single)[_-]?gpus?|distributed|dist|ddp)[_-]+)?(?:run|main|launch|start|demo|example|(?:pre-?)?train(?:ing)?|finetun(?:e|ing)|fine_tune|eval(?:uate)?|test"
    r"|sample|generate|infer(?:ence)?|predict)[_-]+(?:with[_-]+)?"
)

GROWN = re2.compile(r"^(?:[Rr]un|[Mm]ain|[Tt]rain|[Tt]est|[Ee]val|[Dd]emo)([A-Z].*)$")
"""A verb that a capital letter ends: `trainVAE`."""


def without_verb(name: str) -> str:
    """Take what a script does off its name: `run_alphafold` is about alphafold."""
    grown = GROWN.match(name)
    rest = str(grown.group(1)) if grown is not None else str(VERB.sub("", name))
    return rest if family_of(rest) is not None else name


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
    size, name = size_of(str(found.value)), str(found.value).rpartition("/")[2]
    if is_named_by_maker(view, name):
        size = written_size(name)  # a copy may be of other layers than what is known under this name
    told_aside = found.basis in (Basis.WEIGHTS, Basis.CONFIGURATION)
    other = is_made_small(view, name) or is_rebuilt(view) or (told_aside and stands_on(view, family))
    of_data = known_dataset(name) is not None and family is None  # a model of a family may be named after its data, too
    if size is not None and not other and not of_data:
        view.keep("param_size", size, found.spots)


RULES = (
    Rule(Subject.MODEL, "the algorithm", by_algorithm),
    Rule(Subject.MODEL, "the weights", by_weights),
    Rule(Subject.MODEL, "files and folders", by_file),
    Rule(Subject.MODEL, "the configuration's name", by_configuration),
    Rule(Subject.MODEL, "the project's title", by_title),
    Rule(Subject.MODEL, "the network's parts", by_parts),
    Rule(Subject.MODEL, "the network's opponent", by_opponent),
    Rule(Subject.MODEL, "the network and its option", by_network),
    Rule(Subject.MODEL, "what the network is built of", by_kind),
    Rule(Subject.MODEL, "the command", partial(name_in_command, field_name="model_name")),
    Rule(Subject.MODEL, "the network's layers", count_layers),
    Rule(Subject.MODEL, "the name's own meaning", name_tells),
    Rule(Subject.MODEL, "the README's table of models", by_readme),
    Rule(Subject.MODEL, "the network's shape", compute_size),
)
