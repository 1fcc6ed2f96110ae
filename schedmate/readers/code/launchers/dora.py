"""`dora run`: the main module of the package that the repository holds, with options of its own before those words."""

import posixpath

from schedmate.readers.code.launchers.launch import Launch, settled
from schedmate.readers.code.launchers.option_counts import whole_number
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.values.value import SourceLocation, Value
from schedmate.tools.repository import Repository, inside

VALUES = frozenset({"-P", "--package", "--main_module", "-f", "--from_sig", "--ddp_workers", "--rendezvous_file"})
ALL = frozenset({"-d", "--ddp"})


def take_dora(words: list[Value], launch: Launch) -> Launch | None:
    """Read dora's own options; None for its commands that start nothing here."""
    place, commands = 1, 0
    spot = words[0].src[0] if words[0].src else SourceLocation("", 1)
    while place < len(words):
        word, text = words[place], word_text(words[place])
        key, equals, inline = text.partition("=")
        if text == "run" and not commands:
            commands += 1
        elif text in ALL:
            launch.launchers.append(("dora", spot))
        elif key in VALUES:
            place += not equals
            value = Value(inline, word.src) if equals else words[place] if place < len(words) else word
            launch.options[f"dora.{key.lstrip('-')}"] = value
            if key == "--ddp_workers":
                launch.launchers.append(("dora", spot))
                launch.per_node = whole_number(word_text(value), value.src)
        elif not text.startswith("-") or text == "--":
            break
        place += 1
    return settled(launch, "dora", "dora", [words[0], *words[place:]], spot) if commands else None


def dora_main(repository: Repository, launch: Launch) -> str | None:
    """Find the package's main module: where dora is told, else in the one package that has such a module."""
    told = launch.options.get("dora.P") or launch.options.get("dora.package") or launch.environment.get("DORA_PACKAGE")
    module = launch.options.get("dora.main_module") or launch.environment.get("DORA_MAIN_MODULE")
    file = f"{word_text(module).replace('.', '/') if module is not None else 'train'}.py"
    here = repository.list_folder(launch.workdir)[0]
    folders = here if told is None else [word_text(told).replace(".", "/")]
    places = [posixpath.normpath(inside(inside(launch.workdir, folder), file)) for folder in folders]
    found = [place for place in places if repository.is_file(place)]
    return found[0] if len(found) == 1 else None
