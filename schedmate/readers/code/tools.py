"""Read installed programs that train by a configuration: what would be code elsewhere stands in a file and options."""

import posixpath
from typing import Any

from schedmate.knowledge.datasets import known_dataset
from schedmate.knowledge.optimizers import canonical
from schedmate.knowledge.programs import programs
from schedmate.readers.code.commandline.words import guess, is_option, joined, word_text
from schedmate.readers.code.configs.interpolation import resolve_all
from schedmate.readers.code.configs.loaders import load_config, merge_into, put_path, wrap_guess
from schedmate.readers.code.fields.precision import precision_of
from schedmate.readers.code.fields.view import View
from schedmate.readers.code.joining import truth
from schedmate.readers.code.launchers.launch import Launch
from schedmate.readers.code.launchers.options import take_launcher
from schedmate.readers.code.launchers.ranks import process_count, started_in_ranks
from schedmate.readers.code.libraries.defaults import record_defaults
from schedmate.readers.code.places import locate
from schedmate.readers.code.values import COMMAND, Config, Spot, Val, find_in, join_spots
from schedmate.tools.repository import Repository, inside

PARALLEL = (
    ("tensor_parallel_size", "TP"),
    ("tensor_model_parallel_size", "TP"),
    ("pipeline_parallel_size", "PP"),
    ("pipeline_model_parallel_size", "PP"),
    ("context_parallel_size", "CP"),
)
CONFIG_ENDINGS = (".yaml", ".yml", ".json", ".toml", ".cfg", ".py")


def entry_of(repository: Repository, launch: Launch) -> dict[str, Any] | None:
    """Find the program's entry by its name, or by its path beside the package that it belongs to."""
    table = programs()
    for name in (launch.name, posixpath.basename(launch.name)):
        entry = table.get(name)
        if entry is not None and (launch.kind != "script" or "/" in name):
            return entry
    if launch.kind == "script":
        for name, entry in table.items():
            path, mark, package = name.partition("#")
            if mark and posixpath.normpath(launch.name).endswith(path):
                for base in (launch.workdir, ".", "src"):
                    if repository.is_folder(posixpath.normpath(inside(base, package))):
                        return entry
    return None


def reads_as_tool(repository: Repository, launch: Launch) -> dict[str, Any] | None:
    """Give the entry of a program that is read by its configuration rather than followed."""
    entry = entry_of(repository, launch)
    if entry is None or entry.get("follow"):
        return None
    if entry.get("never") and launch.kind in ("script", "module") and locate(repository, launch) is not None:
        return None
    return entry


def read_tool(view: View, entry: dict[str, Any]) -> None:
    """Fill the fields from the program's configuration and options."""
    launch, run = view.launch, view.run
    name_spot = view.command_spot
    view.program.found = True
    words = list(launch.words[1:])
    if entry.get("never"):
        view.keep("is_training", False, name_spot, f"{posixpath.basename(launch.name)} trains nothing")
        return
    trains, words = take_command(entry, words)
    if not trains:
        view.keep("is_training", False, name_spot, "this command of the program does not train")
    words = take_inner_launcher(launch, words)
    options = read_options(view, entry, words)
    run.namespaces.append((options, "tool"))
    required = entry.get("requires", {})
    for key, wanted in required.items():
        value = options.data.get(key)
        if value is not None and value.data != wanted:
            view.keep("is_training", False, value.src)
    if entry.get("like") and "no configuration" not in run.flags:
        by_word = entry.get("like_by_word", {})
        record = next((by_word[word_text(word)] for word in launch.words if word_text(word) in by_word), entry["like"])
        for key, value in record_defaults(record, named_spot(name_spot)).items():
            options.data.setdefault(key, value)
    if trains:
        view.keep("is_training", True, name_spot)
    view.keep("framework", entry.get("framework"), name_spot)
    fill_fields(view, entry, options, named_spot(name_spot))


def named_spot(spots: tuple[Spot, ...]) -> Spot:
    """Give the first of some places."""
    return spots[0] if spots else Spot(COMMAND, 1)


def take_command(entry: dict[str, Any], words: list[Val]) -> tuple[bool, list[Val]]:
    """Tell whether the words after the program's name make it train, and give those that are left."""
    wanted = entry.get("train")
    if not wanted or entry.get("bare"):
        return True, words
    if entry.get("anywhere"):
        given = {word_text(word).removeprefix("mode=") for word in words}
        return bool(given & set(wanted)), [word for word in words if word_text(word) not in wanted]
    for place, word in enumerate(words[:3]):
        text = word_text(word)
        if text in wanted:
            return True, [*words[:place], *words[place + 1 + entry.get("skip_words", 0) :]]
        if not text.startswith("-") and not text.endswith(CONFIG_ENDINGS):
            return False, words
    return True, words


def take_inner_launcher(launch: Launch, words: list[Val]) -> list[Val]:
    """Read a launcher that the program is told to use: `--launcher torchrun -- --nproc_per_node=8`."""
    texts = [word_text(word) for word in words]
    if "--" in texts:
        place = texts.index("--")
        kind = next((texts[i + 1] for i, text in enumerate(texts[:-1]) if text == "--launcher"), "accelerate")
        if kind in ("torchrun", "accelerate"):
            take_launcher(kind, [Val(kind, words[place].src), *words[place + 1 :]], launch)
        return words[:place]
    taken: list[Val] = []
    rest: list[Val] = []
    place = 0
    while place < len(words):
        key = texts[place].partition("=")[0].lstrip("-").replace("-", "_")
        if texts[place].startswith("--") and key in ("nproc_per_node", "nnodes"):
            taken.append(words[place])
            if "=" not in texts[place] and place + 1 < len(words):
                place += 1
                taken.append(words[place])
        else:
            rest.append(words[place])
        place += 1
    if taken:
        take_launcher("torchrun", [Val("torchrun", taken[0].src), *taken], launch)
    return rest


def read_options(view: View, entry: dict[str, Any], words: list[Val]) -> Val:
    """Load the configuration and put the command line's options over it."""
    given = Val(Config())
    config: Val | None = None
    positional: list[Val] = []
    place = 0
    named: dict[str, Val] = {}
    while place < len(words):
        word, text = words[place], word_text(words[place])
        place += 1
        key, equals, inline = text.partition("=")
        if is_option(text):
            value: Val | None = Val(inline, word.src) if equals else None
            if not equals and place < len(words) and not is_option(word_text(words[place])):
                value = words[place]
                place += 1
            named[key] = value if value is not None else Val(True, word.src)
            src = joined(word, value if value is not None and not equals else word)
            cleaned = key.lstrip("-").replace("-", "_")
            put_path(given, cleaned, Val(guess(word_text(value)), src) if value is not None else Val(True, src))
        elif (equals and not text.endswith(CONFIG_ENDINGS)) or (equals and entry["overrides"] == "pairs"):
            put_path(given, key.lstrip("+"), wrap_guess(inline, joined(word, word)))
            named[key] = Val(inline, word.src)
        else:
            positional.append(word)
    for where in entry["config"]:
        source = positional[0] if where == "positional" and positional else named.get(where)
        if source is not None:
            config = find_config(view, entry, word_text(source), named)
            break
    options = config if config is not None and isinstance(config.data, dict) else Val(Config(), view.command_spot)
    merge_into(options.data, given.data)
    if entry.get("positional") and positional:
        options.data.setdefault(
            entry["positional"], Val(word_text(positional[0]), joined(positional[0], positional[0]))
        )
    resolve_all(view.run, options)
    add_section(view, entry, options)
    if config is None and entry["config"] and (positional or named) and not entry.get("bare"):
        view.run.flags["no configuration"] = True
    return options


def add_section(view: View, entry: dict[str, Any], options: Val) -> None:
    """Add the part of a file of hyperparameters that is meant: the algorithm's file, the environment's part."""
    if "sections" not in entry:
        return
    pattern, key = entry["sections"]
    algo, part = options.data.get("algo"), options.data.get(key)
    if algo is None or part is None or not isinstance(algo.data, str):
        return
    loaded = find_config(view, {}, pattern.replace("{algo}", algo.data), {})
    section = loaded.data.get(part.data) if loaded is not None and isinstance(loaded.data, dict) else None
    if section is not None and isinstance(section.data, dict):
        for name, value in section.data.items():
            options.data.setdefault(name, value)
        known = record_defaults(f"{entry['like_prefix']}{algo.data.upper()}", named_spot(section.src))
        for name, value in known.items():
            options.data.setdefault(name, value)


def find_config(view: View, entry: dict[str, Any], name: str, named: dict[str, Val]) -> Val | None:
    """Find the configuration that is named: from here, from the root, or among those that come with the program."""
    file_name = named.get(entry.get("config_name", ""))
    if file_name is not None:
        name = inside(name, word_text(file_name))
    repository = view.run.repository
    for base in (view.launch.workdir, ".", *entry.get("config_folders", ())):
        for ending in ("", ".yaml", ".yml"):
            path = posixpath.normpath(posixpath.join(base, name.lstrip("/") if base == "." else name)) + ending
            if not path.startswith("/") and repository.is_file(path):
                return load_config(view.run, path)
    parts = name.strip("/").split("/")
    for cut in range(1, len(parts) - 1):
        path = "/".join(parts[cut:])
        if repository.is_file(path):
            return load_config(view.run, path)
    view.run.note(f"the configuration {name} is not in the repository")
    return None


def fill_fields(view: View, entry: dict[str, Any], options: Val, spot: Spot) -> None:
    """Take each field from its keys, then from usual names, then from the program's defaults."""
    keys: dict[str, list[str]] = entry.get("keys", {})
    for name in ("batch_size", "global_batch_size", "epochs", "total_steps", "learning_rate"):
        if name in entry.get("not_keys", ()):
            view.rule_out(name)
            continue
        value = first_of(options, keys.get(name, []))
        if value is not None:
            view.number(name, only_item(value))
    steps = view.values.get("total_steps")
    if steps is not None and steps.value and not entry.get("defaults", {}).get("total_steps"):
        view.rule_out("epochs")
    fill_names(view, entry, options)
    fill_processes(view, keys, options, entry)
    fill_strategy(view, keys, options)
    fill_precision(view, keys, options)
    recipe_words(view, entry)
    for name, value in entry.get("defaults", {}).items():
        if name in ("accumulation",) or "no configuration" in view.run.flags:
            continue
        missing = first_of(options, keys.get(name, [])) is None and view.option(name) is None
        if (missing and name in view.values) or not missing:
            continue
        note = f"default of {entry['id']}: {name} = {value}"
        view.keep(name, value, (Spot(spot.path, spot.line, spot.quote, note),), note)
    if entry.get("tuning"):
        name_tuning(view, options)
    view.keep("task", entry.get("task") if not is_multimodal(view) else "multimodal", view.command_spot)
    view.keep("task_fine", entry.get("task_fine"), view.command_spot)


def name_tuning(view: View, options: Val) -> None:
    """Say what kind of tuning is asked for: by the stage or the kind of data, and whether with adapters."""
    stage = first_of(options, ["stage", "rl", "rlhf_type"])
    text = str(stage.data).lower() if stage is not None else ""
    if first_of(options, ["pretraining_dataset"]) is not None or text == "pt":
        label = "pre-training"
    elif text in ("dpo", "orpo", "kto", "simpo", "ipo", "cpo", "rm", "ppo", "grpo"):
        label = f"preference tuning ({text})"
    else:
        label = "supervised fine-tuning"
    adapter = first_of(options, ["adapter", "finetuning_type"])
    if adapter is not None and isinstance(adapter.data, str) and adapter.data in ("lora", "qlora"):
        label += f" ({adapter.data})"
    spots = stage.src if stage is not None else adapter.src if adapter is not None else view.command_spot
    view.keep("task_fine", f"vision-language {label}" if is_multimodal(view) else label, spots or view.command_spot)


def recipe_words(view: View, entry: dict[str, Any]) -> None:
    """Take what the name of a recipe or script tells."""
    text = " ".join(word_text(word) for word in view.launch.words)
    for word, strategy in entry.get("recipes", {}).items():
        if word in text:
            view.keep("distributed", strategy, view.command_spot)
            if strategy == "none":
                view.keep("num_gpus", 1, view.command_spot, "a recipe for one device")
    if "strategy" in entry and started_in_ranks(view.launch):
        found = view.values.pop("distributed", None)
        label = found.value if found is not None and found.value != "DDP" else ""
        view.keep("distributed", "+".join(part for part in (entry["strategy"], label) if part), view.command_spot)
    stem = posixpath.basename(view.launch.name).rpartition(".")[0]
    view.keep("model_name", entry.get("name_from_script", {}).get(stem), view.command_spot)


def is_multimodal(view: View) -> bool:
    """Tell a model that sees or hears by its name."""
    from schedmate.knowledge.models import family_of

    family = family_of(str(view.get("model_name") or ""))
    return family is not None and family[0] == "multimodal"


def first_of(options: Val, keys: list[str]) -> Val | None:
    """Give the first key that is set."""
    for key in keys:
        value = find_in(options, key)
        if value is not None and value.data is not None:
            return value
    return None


def only_item(value: Val) -> Val:
    """Take the one item of a list: `lr: [0.0005]`."""
    if isinstance(value.data, list) and len(value.data) == 1 and isinstance(value.data[0], Val):
        return Val(value.data[0].data, value.data[0].src or value.src)
    return value


def fill_names(view: View, entry: dict[str, Any], options: Val) -> None:
    """Take model, optimizer and data by their keys."""
    from schedmate.readers.code.fields.datasets import from_list
    from schedmate.readers.code.fields.models import tidy

    keys = entry.get("keys", {})
    model = first_of(options, keys.get("model_name", []))
    if model is not None and isinstance(model.data, str):
        text = model.data.rpartition(".")[2] if "._component_" in str(keys.get("model_name")) else tidy(model.data)
        view.keep("model_name", text, model.src)
    optimizer = first_of(options, [*keys.get("optimizer", []), "optimizer", "optim"])
    if optimizer is not None and isinstance(optimizer.data, str):
        text = optimizer.data.rpartition(".")[2]
        view.keep("optimizer", canonical(text) or text, optimizer.src)
    data = first_of(options, keys.get("dataset_name", []))
    if data is not None and isinstance(data.data, list) and data.data:
        from_list(view, data.data[0])
    elif data is not None and isinstance(data.data, dict):
        from_list(view, data)
    elif data is not None and isinstance(data.data, str):
        text = (
            data.data.rpartition(".")[2]
            if "_component_" in str(keys.get("dataset_name")) and "/" not in data.data
            else data.data
        )
        is_path = text.startswith(("/", ".", "~", "$")) or text.endswith(CONFIG_ENDINGS)
        known = known_dataset(text) if is_path else (text, "")
        if known is not None:
            view.keep("dataset_name", known[0], data.src)


def fill_processes(view: View, keys: dict[str, list[str]], options: Val, entry: dict[str, Any]) -> None:
    """Take devices and nodes from the configuration; what takes every visible GPU has no known number of them."""
    if started_in_ranks(view.launch):
        return
    count = first_of(options, keys.get("num_gpus", []))
    nodes = first_of(options, keys.get("num_nodes", []))
    if count is not None and isinstance(count.data, int) and count.data > 0:
        view.number("num_gpus", count)
    per_node = first_of(options, keys.get("num_devices", []))
    if per_node is not None and isinstance(per_node.data, int) and not isinstance(per_node.data, bool):
        times = nodes.data if nodes is not None and isinstance(nodes.data, int) else 1
        view.number("num_gpus", Val(per_node.data * times, join_spots(per_node, *([nodes] if nodes else []))))
    if nodes is not None:
        view.number("num_nodes", nodes)
    devices = first_of(options, keys.get("devices", []))
    if devices is not None:
        if isinstance(devices.data, int):
            view.number("num_gpus", Val(1, devices.src))
        elif isinstance(devices.data, (str, list)):
            parts = (
                [part for part in str(devices.data).split(",") if part.strip().isdigit()]
                if isinstance(devices.data, str)
                else devices.data
            )
            view.keep("num_gpus", 0 if devices.data == "cpu" else len(parts) or None, devices.src)
    shape = parallel_shape(options)
    if shape is not None:
        view.number("num_gpus", shape)
    gpus = view.get("num_gpus")
    if gpus is not None and gpus > 8:
        view.rule_out("num_nodes")
    if entry.get("all_gpus"):
        view.run.flags["takes all"] = True


def parallel_shape(options: Val) -> Val | None:
    """Multiply the sizes of a device mesh that is given in full; -1 leaves it open."""
    names = ("dp_replicate_size", "dp_shard_size", "tensor_parallel_size", "context_parallel_size")
    sizes = [options.data[name] for name in names if name in options.data]
    if len(sizes) < 2 or not all(isinstance(size.data, int) and size.data > 0 for size in sizes):
        return None
    total = 1
    for size in sizes:
        total *= size.data
    return Val(total, join_spots(*sizes))


def fill_strategy(view: View, keys: dict[str, list[str]], options: Val) -> None:
    """Take DeepSpeed, FSDP and tensor parallelism from the configuration, DeepSpeed's own file with it."""
    found: dict[str, tuple[Spot, ...]] = {}
    for key, label in (("deepspeed", "DeepSpeed"), ("fsdp", "FSDP")):
        value = first_of(options, keys.get(key, []))
        if value is not None and truth(value) and value.data != "auto":
            found[label] = value.src
            if key == "deepspeed" and isinstance(value.data, str) and value.data.endswith(".json"):
                loaded = find_config(view, {}, value.data, {})
                if loaded is not None:
                    view.run.configs.append(("deepspeed", loaded))
    for name, label in (
        ("tensor_parallel_size", "TP"),
        ("context_parallel_size", "CP"),
        ("pipeline_parallel_size", "PP"),
    ):
        value = options.data.get(name)
        if value is not None and isinstance(value.data, int) and value.data > 1:
            found[label] = value.src
    count = process_count(view.launch, view.launch.nodes)
    if not found and started_in_ranks(view.launch) and (count is None or count.data != 1):
        found["DDP"] = (view.launch.launchers[-1][1],)
    if found:
        view.keep("distributed", "+".join(found), tuple(spot for spots in found.values() for spot in spots))


def fill_precision(view: View, keys: dict[str, list[str]], options: Val) -> None:
    """Take the precision; `bf16: auto` computes in bfloat16 where the GPU has it."""
    for name in ("bf16", "fp16", "bfloat16"):
        value = first_of(options, [*keys.get(name, []), name])
        if value is not None and (value.data is True or value.data in ("auto", "full", "true")):
            view.keep(
                "precision",
                "fp16" if name == "fp16" else "bf16",
                value.src,
                "where the GPU has it" if value.data == "auto" else "",
            )
    value = first_of(options, [*keys.get("precision", []), "pure_bf16"])
    if value is not None:
        known = "bf16" if value.data is True else precision_of(value)
        if known is not None:
            view.keep("precision", known, value.src)
