"""Files that a program writes before it, or what it starts, reads them: settings that are dumped, texts."""

import posixpath

from schedmate.readers.code.values.nested import copied
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.run import Call, Hook, by_names
from schedmate.readers.code.values.value import Value

LONGEST = 100_000
MOST_WRITTEN = 50


def path_of(call: Call, target: Value | None) -> str | None:
    """Name the file that an open file or a path means, from where the program runs."""
    data = target.data if target is not None else None
    if isinstance(data, ExternalResult) and data.callee == "open" and data.args:
        data = data.args[0].data
    if isinstance(data, ExternalResult) and "text" in data.kwargs:
        data = data.kwargs["text"].data
    if not isinstance(data, str) or not 0 < len(data) < 1000:
        return None
    return posixpath.normpath(posixpath.join(call.run.workdir, data))


def keep(call: Call, path: str | None, content: Value | None) -> None:
    """Keep what goes into a file, where it is known."""
    if path is None or content is None or call.run.unsure or len(call.run.written) >= MOST_WRITTEN:
        return
    if isinstance(content.data, (dict, str)) and content.src:
        call.run.written[path] = copied(content)  # what is changed later is not in the file


def dump(call: Call) -> Value | None:
    """Model `yaml.dump(settings, file)`, `json.dump` and `OmegaConf.save`."""
    content = call.arg(0)
    if content is not None and isinstance(content.data, dict):
        keep(call, path_of(call, call.arg(1, "stream") or call.arg(1, "f") or call.arg(1, "fp")), content)
    return None


def write(call: Call) -> Value | None:
    """Model the first `write` into a file: what is written after it is not put behind it."""
    path, content = path_of(call, call.owner), call.arg(0)
    if path not in call.run.written and content is not None and isinstance(content.data, str):
        keep(call, path, Value(content.data[:LONGEST], content.src))
    return None


HOOKS: dict[str, Hook] = {
    **by_names("yaml.dump yaml.safe_dump json.dump toml.dump omegaconf.OmegaConf.save", dump),
    **by_names("open.write pathlib.Path.write_text", write),
}
