"""What a container starts of itself: a service of Docker Compose, or an image that the Dockerfile here makes."""

import json
import posixpath

from schedmate.readers.code.configs.yaml_text import read_yaml
from schedmate.readers.code.launchers.launch import InnerCommand, Launch
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.shell.expansion import words_of_text
from schedmate.readers.code.values.value import (
    SourceLocation,
    Value,
    find_in,
    first,
    held,
    mapping_of,
    sequence_of,
)
from schedmate.tools.repository import Repository, inside

COMPOSE_FILES = ("compose.yaml", "compose.yml", "docker-compose.yml", "docker-compose.yaml")
TAKES = frozenset({"run", "up", "exec", "start"})
VALUES = frozenset({"-f", "--file", "-p", "--project-name", "--profile", "-e", "--env", "-v", "-u", "--name", "-w"})
ENGINES = frozenset({"docker", "podman", "nvidia-docker"})
RESERVED = "deploy.resources.reservations.devices"


def composed(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give what `docker compose run SERVICE` starts: the words behind the service, else the service's own."""
    name = posixpath.basename(launch.name) if launch.kind == "tool" else ""
    words = launch.words[1:]
    if name in ENGINES and words and word_text(words[0]) == "compose":
        words = words[1:]
    elif name != "docker-compose":
        return []
    files, plain = taken_apart(words)
    names = files or list(COMPOSE_FILES)
    path = next((found for one in names if (found := repository.find_file(one, launch.workdir))), None)
    text = repository.readable_text(path) if path is not None else None
    services = mapping_of(find_in(read_yaml(text, path) if text is not None and path is not None else None, "services"))
    if path is None or not plain or word_text(plain[0]) not in TAKES:
        return []
    asked = [word_text(word) for word in plain[1:2]]
    wanted = services.get(asked[0]) if asked else next(iter(services.values()), None) if len(services) == 1 else None
    if wanted is None:
        return []
    behind = plain[2:] if word_text(plain[0]) in ("run", "exec") else []
    return started_by(repository, wanted, behind, path)


def taken_apart(words: list[Value]) -> tuple[list[str], list[Value]]:
    """Part the files and the words that are no options; behind a service all words are the container's."""
    files: list[str] = []
    plain: list[Value] = []
    place = 0
    while place < len(words):
        text = word_text(words[place])
        if len(plain) > 1 or not text.startswith("-"):
            plain.append(words[place])
        elif text in VALUES:
            files += [word_text(words[place + 1])] if text in ("-f", "--file") and place + 1 < len(words) else []
            place += 1
        place += 1
    return files, plain


def started_by(repository: Repository, service: Value, behind: list[Value], path: str) -> list[InnerCommand]:
    """Put together what a service starts, with its variables and the GPUs that it reserves."""
    folder = posixpath.dirname(path) or "."
    build = find_in(service, "build")
    context = held(first(service, "build.context"), str) or held(build, str) or "."
    image = image_words(repository, posixpath.normpath(inside(folder, context))) if build is not None else ([], [])
    entry = words_of(find_in(service, "entrypoint")) or image[0]
    command = behind or words_of(find_in(service, "command")) or image[1]
    environment = mapping_of(find_in(service, "environment"))
    variables = {str(name): Value(str(one.data), one.src) for name, one in environment.items() if one.data is not None}
    for item in sequence_of(find_in(service, "environment")):
        name, equals, text = str(item.data).partition("=")
        variables |= {name: Value(text, item.src)} if equals else {}
    asked = {"gpus_per_node": gpus} if (gpus := reserved(service)) is not None else {}
    inner = InnerCommand(words=[*entry, *command], environment=variables, asked=asked, workdir=folder)
    return [inner] if inner.words else []


def reserved(service: Value) -> Value | None:
    """Give the GPUs that a service reserves by number or by name."""
    for device in sequence_of(find_in(service, RESERVED)):
        count, ids = find_in(device, "count"), sequence_of(find_in(device, "device_ids"))
        if count is not None and type(count.data) is int:
            return Value(str(count.data), count.src)
        if ids:
            return Value(str(len(ids)), ids[0].src)
    return None


def words_of(value: Value | None) -> list[Value]:
    """Give the words of a list, or of a text as a shell takes it apart."""
    if value is None or value.data is None:
        return []
    items = sequence_of(value)
    if items:
        return [Value(str(item.data), item.src or value.src) for item in items]
    text = str(value.data)
    src = value.src[0] if value.src else SourceLocation("", 1)
    if any(mark in text for mark in ("&&", ";", "|", "$", "\n")):
        return [Value("bash", value.src), Value("-c", value.src), Value(text, value.src)]
    return words_of_text(text, src)


def image_started(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give what `docker run IMAGE` starts where the repository has one Dockerfile: its entry point and its command."""
    if not launch.launchers or launch.launchers[-1][0] not in ENGINES:
        return []
    options_only = bool(launch.words) and word_text(launch.words[0]).startswith("-")
    if launch.name and not options_only:
        return []
    entry, command = image_words(repository, launch.workdir)
    words = [*entry, *(launch.words if options_only else command)]
    if not words or (options_only and not entry):
        return []
    return [InnerCommand(words=words, workdir=launch.workdir, sure=False)]


def image_words(repository: Repository, folder: str) -> tuple[list[Value], list[Value]]:
    """Read the last `ENTRYPOINT` and `CMD` of a folder's Dockerfile, each with its line."""
    path = repository.find_file("Dockerfile", folder, posixpath.normpath(inside(folder, "docker")))
    text = repository.readable_text(path) if path is not None else None
    found: dict[str, list[Value]] = {"ENTRYPOINT": [], "CMD": []}
    started, parts = 1, list[str]()
    for number, line in enumerate((text or "").split("\n"), 1):
        if parts and line.lstrip().startswith("#"):
            continue
        started = started if parts else number
        parts.append(line.strip().removesuffix("\\"))
        if line.rstrip().endswith("\\"):
            continue
        kind, _, rest = " ".join(parts).partition(" ")
        parts = []
        if kind in found:
            found[kind] = listed(rest.strip(), (SourceLocation(path or "", started),))
    return found["ENTRYPOINT"], found["CMD"]


def listed(text: str, src: tuple[SourceLocation, ...]) -> list[Value]:
    """Read `["python", "train.py"]`, else the text as a shell takes it."""
    try:
        items = json.loads(text) if text.startswith("[") else None
    except (ValueError, RecursionError):
        items = None
    return [Value(str(item), src) for item in items] if isinstance(items, list) else words_of(Value(text, src))
