"""What a configuration is called, where that may be the name of a model."""

import posixpath

import re2

from schedmate.knowledge.models import family_of, written_size
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.words.project_words import project_lines

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
        return of_settings(view, stem)
    above = next((folder for folder in reversed(folders[-2:]) if family_of(folder) is not None), "")
    return f"{above}-{stem}" if above else ""


def of_settings(view: View, stem: str) -> str:
    """Take off a name that it is one of settings; where the project's title is a model's, that tells more."""
    bare = str(SETTINGS.sub("", stem))
    if bare == stem or family_of(bare) is None or (written_size(stem) is not None and written_size(bare) is None):
        return stem
    titled = any(family_of(text) is not None for text, _ in project_lines(view)[:1])
    return "" if titled else bare
