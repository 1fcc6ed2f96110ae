"""The option that names the model, among all that are called so: no path, no switch, no part of something else."""

import posixpath

from schedmate.knowledge.code_words import words
from schedmate.knowledge.datasets import known_dataset
from schedmate.knowledge.models import family_of
from schedmate.knowledge.option_names import option_names
from schedmate.knowledge.tasks import words_of
from schedmate.readers.code.evidence.config_sections import flattened
from schedmate.readers.code.evidence.view import View, meaning
from schedmate.readers.code.fields.networks.maker_functions import is_builder
from schedmate.readers.code.fields.networks.run_names import names_another, names_place
from schedmate.readers.code.fields.words.command_names import name_in
from schedmate.readers.code.values.value import Value, mapping_of

HELPERS = words("networks.helpers")
ASIDE = frozenset(words("networks.loaded_aside"))
HELPING = words("networks.helping")
NO_NAMES = frozenset(words("networks.no_names"))
WEIGHTS = (
    ".pt",
    ".pth",
    ".ckpt",
    ".yaml",
    ".yml",
    ".json",
    ".bin",
    ".eqx",
    ".msgpack",
    ".pdparams",
    ".params",
    ".model",
)

SAVED = (".h5", ".hdf5", ".keras", ".pkl", ".npz", ".onnx", ".safetensors")
"""Endings of files of weights, which are often named after the model."""


def name_option(view: View) -> tuple[Value | None, bool]:
    """Give the option that names the model, if it is a name and no path or switch; weak if it may name a part of it."""
    names = option_names()["model_name"]
    first_weak, upstream = names.index("backbone"), names.index("upstream")
    for rank, option in sorted(view.options("model_name"), key=lambda pair: is_cut_out(view, pair[1])):
        value = known_end(name_in(option) or option)
        text = value.data
        if not isinstance(text, str) or not 1 < len(text) < 120:
            continue
        if names_a_helper(view, option) or (rank == upstream and not names_speech_model(text)):
            continue
        names_nothing = (
            text.endswith(WEIGHTS)
            or (text.endswith(SAVED) and family_of(text) is None)
            or "tokenizer" in text.lower()
            or posixpath.basename(text.rstrip("/")).lower() in NO_NAMES
            or names_own_state(text)
            or "$" in text
            or is_builder(text)
            or is_of_parts(view, option)
            or (known_dataset(text) is not None and family_of(text) is None)
        )
        if not names_nothing and not names_place(text) and not names_another(view, value):
            return value, rank >= first_weak
    return None, False


STATES = frozenset(words("networks.states"))


def names_own_state(text: str) -> bool:
    """Tell the path of what a run itself has saved: `out/larks/model.best`."""
    said = words_of(posixpath.basename(text.rstrip("/")))
    left = [word for word in said if word not in NO_NAMES and word not in STATES and not word.isdigit()]
    return not left and not STATES.isdisjoint(said)


def is_of_parts(view: View, option: Value) -> bool:
    """Tell a word that no option sets and that the program's functions each have another one for: how parts are built.

    As in `def generator(x, architecture="skip")` beside `def discriminator(x, architecture="resnet")`.
    """
    for name, values in view.run.reads.items():
        if not any(one is option for one in values) or any(name in mapping for mapping in view.namespaces):
            continue
        words = {(one.data, one.src) for one in values if isinstance(one.data, str)}
        return len({text for text, _ in words}) > 1 and len({spots for _, spots in words}) > 1
    return False


def is_cut_out(view: View, value: Value) -> bool:
    """Tell a part of what the command says of something else: the `vit` of `--encoders dinov2-vit-b`."""
    given = [(name, one) for name, one in view.told.items() if not set(one.src).isdisjoint(value.src)]
    whole = any(one.data == value.data or (meaning(name) or ("",))[0] == "model_name" for name, one in given)
    return bool(given) and not whole


def known_end(value: Value) -> Value:
    """Give what ends a path of which the folder is open, where that names a known model: `$ROOT/Llama-2-7b`."""
    text = value.data
    if not isinstance(text, str) or "$" not in text:
        return value
    end = posixpath.basename(text.rstrip("/"))
    return Value(end, value.src) if "$" not in end and "}" not in end and family_of(end) is not None else value


def names_speech_model(text: str) -> bool:
    """Tell an encoder of speech, which programs for speech name as upstream; other programs' upstream is another's."""
    family = family_of(text)
    return family is not None and family.task == "audio"


def is_loaded_aside(name: str, section: Value) -> bool:
    """Tell a section by which a network is loaded as it is, before or behind the one that a diffusion trains."""
    target = mapping_of(section).get("_target_")
    loads = target is not None and isinstance(target.data, str) and target.data.endswith(".from_pretrained")
    return loads and name.lower().rpartition(".")[2] in ASIDE


def names_a_helper(view: View, option: Value) -> bool:
    """Tell an option on a network that only helps: a vocoder's section, `reward_model_path`, `--downstream_model`."""
    settings = [pair for _, config in view.run.configs for pair in flattened(mapping_of(config) or {})]
    declared = [pair for mapping in view.namespaces for pair in flattened(mapping)]
    sections = [
        mapping_of(value) for name, value in settings if name.lower() in HELPERS or is_loaded_aside(name, value)
    ]
    named = [value for name, value in (*settings, *declared) if name.lower().rpartition(".")[2].startswith(HELPING)]
    inside = [one for section in sections if section for _, one in flattened(section)]
    return any(one.src and one.src == option.src for one in (*inside, *named))
