"""`gcloud ... jobs submit training` and `local train`: a package's module, or an image, with its words behind `--`.

Google's machines are named after their GPUs; a file of settings says the same as the options, which go before it.
"""

import posixpath

from schedmate.readers.code.configs.yaml_text import read_yaml
from schedmate.readers.code.launchers.containers import image_words
from schedmate.readers.code.launchers.launch import InnerCommand, Launch
from schedmate.readers.code.launchers.torchx import split_at_dashes
from schedmate.readers.code.libraries.argument_words import joined, word_text
from schedmate.readers.code.values.value import Value, find_in, mapping_of, sequence_of
from schedmate.tools.repository import Repository, inside

SERVICES = frozenset({"ai-platform", "ml-engine"})
"""The service's present name, and its first one."""
TRAINS = (["jobs", "submit", "training"], ["local", "train"])

SWITCHES = frozenset({"--stream-logs", "--async", "--distributed", "--quiet", "-q", "--enable-web-access"})
"""Options that take no value; those that take one are too many to be listed."""

IN_FILE = {
    "scaleTier": "scale-tier", "masterType": "master-machine-type", "pythonModule": "module-name",
    "jobDir": "job-dir", "workerCount": "worker-count", "workerType": "worker-machine-type",
}  # fmt: skip
"""How the file of settings names what options say."""

MACHINES = {
    "basic_gpu": (1, "k80"), "standard_gpu": (1, "k80"), "complex_model_m_gpu": (4, "k80"),
    "complex_model_l_gpu": (8, "k80"), "standard_p100": (1, "p100"), "complex_model_m_p100": (4, "p100"),
    "standard_v100": (1, "v100"), "large_model_v100": (1, "v100"), "complex_model_m_v100": (4, "v100"),
    "complex_model_l_v100": (8, "v100"),
}  # fmt: skip
"""How many GPUs of which kind one machine has, by the tier or the type that is asked for."""
DECIDE = frozenset({"scale-tier", "config", "master-machine-type", "master-accelerator"})
"""Options without which the machine is one of the plainest."""
PLAIN = frozenset({"basic", "standard", "large_model", "complex_model_s", "complex_model_m", "complex_model_l"})
"""Machines without GPUs."""


def cloud_training(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give the module that the service starts with the words behind `--`, else what the image here starts."""
    if launch.kind != "tool" or posixpath.basename(launch.name) != "gcloud":
        return []
    own, behind = split_at_dashes(launch.words[1:])
    plain, options = taken_apart(own)
    told = [word for word in plain if word not in ("alpha", "beta")]
    if told[:1] == [] or told[0] not in SERVICES or not any(told[1 : len(one) + 1] == one for one in TRAINS):
        return []
    options, given = with_settings(repository, launch, options)
    started = [*program_of(repository, launch, options)]
    if not started:
        return []
    started += behind or given
    if "job-dir" in options:  # the service hands it on
        folder = options["job-dir"]
        started += [Value("--job-dir", folder.src), folder]
    packed = posixpath.dirname(word_text(options.get("package-path", Value(""))).rstrip("/"))
    workdir = posixpath.normpath(inside(launch.workdir, packed)) if packed not in ("", ".") else launch.workdir
    others = machines_of(options)
    asked = {**asked_of(options), **others}
    if others and not word_text(others["nodes"]).isdigit():
        asked.pop("gpus_per_node", None)  # of the first machine alone
    if told[1] == "jobs" and not DECIDE.intersection(options):
        asked = {"constraint": Value("cpu", (launch.spot,))}  # the tier that is taken where none is named
    operator = ("google-training", launch.spot) if others else None
    is_sure = "module-name" in options
    return [InnerCommand(words=started, asked=asked, workdir=workdir, sure=is_sure, operator=operator)]


def taken_apart(words: list[Value]) -> tuple[list[str], dict[str, Value]]:
    """Part gcloud's commands from its options; a command stands before all options that take a word."""
    plain: list[str] = []
    options: dict[str, Value] = {}
    place = 0
    while place < len(words):
        word, text = words[place], word_text(words[place])
        key, equals, inline = text.partition("=")
        follows = place + 1 < len(words) and not word_text(words[place + 1]).startswith("--")
        if not text.startswith("-"):
            plain.append(text)
        elif equals:
            options[key.lstrip("-")] = Value(inline, joined(word, word))
        elif key not in SWITCHES and follows:
            place += 1
            options[key.lstrip("-")] = Value(words[place].data, joined(word, words[place]))
        place += 1
    return plain, options


def with_settings(
    repository: Repository, launch: Launch, options: dict[str, Value]
) -> tuple[dict[str, Value], list[Value]]:
    """Add what the file of settings says, and give the program's words in it."""
    named = options.get("config")
    path = repository.find_file(word_text(named), launch.workdir) if named is not None else None
    launch.absent = named if path is None else None
    text = repository.readable_text(path) if path is not None else None
    read = read_yaml(text, path) if text is not None and path is not None else None
    settings = mapping_of(find_in(read, "trainingInput"))
    told = {name: value for name, value in settings.items() if name in IN_FILE and isinstance(value.data, (str, int))}
    said = {IN_FILE[name]: Value(str(value.data), value.src) for name, value in told.items()}
    words = [Value(str(one.data), one.src) for one in sequence_of(find_in(read, "trainingInput.args"))]
    return {**said, **options}, words


def program_of(repository: Repository, launch: Launch, options: dict[str, Value]) -> list[Value]:
    """Give the words by which the module is started, else those of the Dockerfile that makes the image."""
    module = options.get("module-name")
    if module is not None:
        return [Value("python", module.src), Value("-m", module.src), module]
    image = options.get("master-image-uri")
    entry, command = image_words(repository, launch.workdir) if image is not None else ([], [])
    return entry or command


def machines_of(options: dict[str, Value]) -> dict[str, Value]:
    """Give how many machines there are beside the first one, where they are like it; open where they are not."""
    workers, tier = options.get("worker-count"), options.get("scale-tier", Value(""))
    count, size = word_text(workers) if workers is not None else "0", word_text(tier).lower()
    kinds = [word_text(options.get(name, Value(""))) for name in ("master-machine-type", "worker-machine-type")]
    one_machine = size in ("", "custom", "basic") or size in MACHINES
    if count == "0" and one_machine:
        return {}
    spots = workers.src if workers is not None else tier.src
    if kinds[0] and kinds[0] == kinds[1] and count.isdigit() and one_machine:
        return {"nodes": Value(str(int(count) + 1), spots)}
    return {"nodes": Value("${machines}", spots)}


def asked_of(options: dict[str, Value]) -> dict[str, Value]:
    """Give the GPUs of the first machine, by what is put into it or by what it is called."""
    put_in = options.get("master-accelerator")
    parts = dict(one.split("=", 1) for one in word_text(put_in).split(",") if "=" in one) if put_in is not None else {}
    if put_in is not None and parts.get("count", "").isdigit():
        kind = {"constraint": Value(parts["type"], put_in.src)} if "type" in parts else {}
        return {"gpus_per_node": Value(parts["count"], put_in.src), **kind}
    for name in ("master-machine-type", "scale-tier"):
        machine = options.get(name, Value(""))
        told = word_text(machine).lower()
        if told in MACHINES:
            count, card = MACHINES[told]
            return {"gpus_per_node": Value(str(count), machine.src), "constraint": Value(card, machine.src)}
        if told in PLAIN:
            return {"constraint": Value("cpu", machine.src)}
    return {}
