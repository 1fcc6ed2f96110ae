"""Files that a program writes before it, or what it starts, reads them: settings that are dumped, texts."""

import posixpath

from schedmate.readers.code.values.copies import put_copy
from schedmate.readers.code.values.nested import copied
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import Value, held, unknown
from schedmate.readers.code.values.written_texts import LONGEST, MOST_WRITTEN, put_behind

BEGUN = "begun"
"""Under which name an open file knows that something was put into it."""


def opened(target: Value | None) -> ExternalResult | None:
    """Give the open file that is written into; None for a path."""
    data = held(target, ExternalResult)
    return data if data is not None and data.callee == "open" else None


def path_of(call: Call, target: Value | None) -> str | None:
    """Name the file that an open file or a path means, from where the program runs."""
    file = opened(target)
    place = target if file is None else next(iter(file.args), file.kwargs.get("file"))
    data = place.data if place is not None else None
    if isinstance(data, ExternalResult) and "text" in data.kwargs:
        data = data.kwargs["text"].data
    if not isinstance(data, str) or not 0 < len(data) < 1000:
        return None
    return posixpath.normpath(posixpath.join(call.run.workdir, data))


def goes_behind(file: ExternalResult | None) -> bool:
    """Tell a write that leaves what the file holds: one into a file that was opened for it, or any but the first."""
    if file is None:
        return False
    mode = file.kwargs.get("mode") or next(iter(file.args[1:]), None)
    return BEGUN in file.attrs or (mode is not None and "w" not in str(mode.data) and "x" not in str(mode.data))


def keep(call: Call, target: Value | None, content: Value) -> None:
    """Keep what goes into a file: over what it held, or behind it. Ways through the program are merged as names are."""
    run, path, file = call.run, path_of(call, target), opened(target)
    if path is None or (path not in run.written and len(run.written) >= MOST_WRITTEN):
        return
    if path not in run.written and (path in run.copied or run.repository.is_file(path)):
        run.written[path] = unknown("a file that is written over or put behind")  # where a branch does not write
    before = run.written.get(path)
    text = copied(content) if content.src else unknown("what a program writes", content)  # later changes are not in it
    text = put_behind(before, text) if goes_behind(file) and before is not None else text
    run.journal.put(run.written, path, text)
    if file is not None:
        run.journal.put(file.attrs, BEGUN, Value(True))


def dump(call: Call) -> Value | None:
    """Model `yaml.dump(settings, file)`, `json.dump` and `OmegaConf.save`."""
    content = call.arg(0)
    target = call.arg(1, "stream") or call.arg(1, "f") or call.arg(1, "fp")
    if content is not None and target is not None:
        keep(call, target, content if isinstance(content.data, dict) else unknown("no settings", content))
    return None


def write(call: Call) -> Value | None:
    """Model `write` into a file, and `Path.write_text`, which takes the place of what was there."""
    content = as_settings(call.arg(0))
    if content is not None:
        is_text = isinstance(content.data, str)
        keep(call, call.owner, Value(content.data[:LONGEST], content.src) if is_text else content)
    return None


AS_TEXT = frozenset({
    "json.dumps", "yaml.dump", "yaml.safe_dump", "toml.dumps", "omegaconf.OmegaConf.to_yaml",
})  # fmt: skip
"""Calls that give settings as the text of a file."""


def as_settings(content: Value | None) -> Value | None:
    """Give the settings of which a text was made, as `json.dumps(settings)`; else what is given."""
    made = held(content, ExternalResult)
    settings = made.args[0] if made is not None and made.callee in AS_TEXT and made.args else None
    if made is None or settings is None or not isinstance(settings.data, dict):
        return content
    return settings if settings.src else Value(settings.data, (made.spot,))


MAKES_FOLDERS = ("mkdir", "makedirs")


def was_made(call: Call, place: str) -> bool:
    """Tell a folder that the program has made by itself before."""
    made = [event for event in call.run.events if event.short in MAKES_FOLDERS]
    named = (event.owner if event.owner is not None else next(iter(event.args), None) for event in made)
    return any(path_of(call, one) == place for one in named)


INTO_FOLDERS = (".copy", ".copy2", ".move")


def copy(call: Call) -> Value | None:
    """Model `shutil.copy(source, target)` and its like: at the target lies a copy from then on."""
    source, target, run = path_of(call, call.arg(0, "src")), path_of(call, call.arg(1, "dst")), call.run
    if source is None or target is None:
        return None
    there = run.place_of(source)
    is_folder = run.repository.is_folder(target) or was_made(call, target)
    into_folder = call.name.endswith(INTO_FOLDERS) and is_folder
    place = posixpath.join(target, posixpath.basename(source)) if into_folder else target
    is_new = source not in run.written and place not in run.written
    is_sure = not (run.unsure or run.again or run.growing or run.tries or run.open_loops)
    put_copy(run.copied, place, there, is_sure and is_new)
    if place in run.written:
        run.journal.put(run.written, place, unknown("a copy over what was written"))
    return call.arg(1, "dst")


HOOKS: dict[str, Hook] = {
    **by_names("shutil.copy shutil.copy2 shutil.copyfile shutil.copytree shutil.move", copy),
    **by_names("os.rename os.replace os.symlink os.link", copy),
    **by_names("yaml.dump yaml.safe_dump json.dump toml.dump omegaconf.OmegaConf.save", dump),
    **by_names("open.write pathlib.Path.write_text", write),
}
