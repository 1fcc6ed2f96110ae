"""What a configuration is called, where that may be the name of a model."""

import posixpath

import re2

from schedmate.knowledge.datasets import is_set
from schedmate.knowledge.models import family_of, is_generic, size_of, squash, written_size
from schedmate.readers.code.evidence.proposals import Basis
from schedmate.readers.code.evidence.view import View, meaning
from schedmate.readers.code.fields.words.project_words import project_lines
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import Value

CONFIGS = (".yaml", ".yml", ".json", ".toml", ".py", ".gin")

ASIDE_FILES = re2.compile(r"(?i)(?:^|[-_.])(vocab\w*|merges|tokenizer\w*|bpe|dict|labels?|classes|trainer)(?:$|[-_.])")
"""Names of files that hold no settings of a model."""
SETTINGS = re2.compile(r"(?i)[-_.]?(?:config|cfg|settings|hparams|params)(?:[-_.].*)?$")
"""Where a name says that it is one of settings: `bert_config_small` holds what any BERT is told."""


def config_stem(view: View, text: str) -> str:
    """Name a configuration after its file, and after the folder above that names a family where the file does not."""
    text = text.removesuffix(".j2")  # a template of a configuration
    if not text.endswith(CONFIGS) or "$" in text or text == view.launch.name:
        return ""
    if ASIDE_FILES.search(posixpath.basename(text)):
        return ""
    text = text.partition("=")[2] if text.startswith("--") else text
    *folders, file = text.split("/")
    stem = file.rpartition(".")[0]
    if family_of(stem) is not None:
        return of_settings(view, without_data(stem))
    above = next((folder for folder in reversed(folders[-2:]) if family_of(folder) is not None), "")
    return f"{above}-{stem}" if above else ""


NUMBERED = re2.compile(r"(?i)^(?:model|exp|experiment|config|cfg|run|v)[-_]?\d+[-_]")
"""How the configurations of one project are counted: `model003-vgg16`."""


def without_data(stem: str) -> str:
    """Take the number of a configuration and the data set behind the model off its name: `pointnet_kitti`."""
    bare = str(NUMBERED.sub("", stem))
    bare = bare if family_of(bare) is not None else stem
    for cut in (at for at, sign in enumerate(bare) if sign in "-_" and at):
        name, rest = bare[:cut], bare[cut + 1 :]
        if is_set(rest) and family_of(name) is not None and family_of(name) == family_of(bare):
            return name
    return bare


def of_settings(view: View, stem: str) -> str:
    """Take off a name that it is one of settings; where the project's title is a model's, that tells more."""
    bare = str(SETTINGS.sub("", stem))
    if bare == stem or family_of(bare) is None or (written_size(stem) is not None and written_size(bare) is None):
        return stem
    titled = any(family_of(text) is not None for text, _ in project_lines(view)[:1])
    return "" if titled else bare


SIZED = re2.compile(r"(?i)^(.*?[-_]?\d+(?:\.\d+)?[bm])(?:$|[-_.])")
"""A name up to the size that stands in it."""


def name_by_config(view: View, name: str) -> None:
    """Take a configuration's name that says more than the name found so far: a family's size, or all of it."""
    family = family_of(name) if name else None
    words = view.launch.words if view.program.found else []
    for before, word in zip([None, *words], words, strict=False):
        engine = "deepspeed" in f"{word_text(before) if before is not None else ''}{word_text(word)}"
        stem = config_stem(view, word_text(word)) if not engine and not says_data(before, word) else ""
        known, sized = family_of(stem), SIZED.search(stem)
        if known is None or (name and not is_generic(name) and known != family):
            continue
        longer = squash(stem).startswith(squash(name)) and known.usual == "image classification"
        if sized is not None and size_of(name) is None:
            view.keep("model_name", sized.group(1), word.src or view.command_spot, "the configuration's name")
        elif not name or is_generic(name) or longer:
            view.keep("model_name", stem, word.src or view.command_spot, basis=Basis.CONFIGURATION)


def says_data(before: Value | None, word: Value) -> bool:
    """Tell a word that an option of data takes: `--data_path llama_chats.json` says nothing of the model."""
    whole = word_text(word)
    option = whole.partition("=")[0] if "=" in whole else word_text(before) if before is not None else ""
    known = meaning(option.lstrip("-").replace("-", "_"))
    return known is not None and known[0] in ("data_path", "dataset_name")
