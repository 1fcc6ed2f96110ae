"""Which data set the model is trained on."""

import re2

from schedmate.knowledge.datasets import known_dataset
from schedmate.readers.code.fields.batches import training_loaders
from schedmate.readers.code.fields.view import View
from schedmate.readers.code.things import Instance
from schedmate.readers.code.values import Val

LOADING = ("load_dataset", "load_from_disk")
ENVIRONMENTS = ("make", "make_env", "make_vec", "make_atari_env", "make_vec_env", "SyncVectorEnv")
ASIDE_FOLDER = re2.compile(r"(?i)(^|/)(eval\w*|benchmarks?|tests?|downstream\w*)(/|\.py$)")
PLAIN_DATA = frozenset(
    {
        "char",
        "text",
        "custom",
        "my",
        "base",
        "image",
        "img",
        "video",
        "audio",
        "token",
        "lm",
        "simple",
        "data",
        "torch",
        "sequence",
    }
)


def find_dataset(view: View) -> None:
    """Find the data: loaded by name, made by a library's class, named by option, or read off a path."""
    by_loading(view)
    by_class(view)
    by_environment(view)
    by_option(view)
    by_path(view)
    by_files(view)
    by_any_path(view)
    by_own_class(view)


def by_loading(view: View) -> None:
    """Take the name that a hub's data set is loaded by."""
    for event in view.named(*LOADING):
        if any(
            word in function.lower() for function in event.functions for word in ("eval", "valid", "test", "benchmark")
        ):
            continue
        name = event.arg(0, "path", "name")
        if name is None or not isinstance(name.data, str) or not name.data or "$" in name.data:
            continue
        if name.data in ("json", "csv", "parquet", "text", "arrow", "imagefolder", "audiofolder", "webdataset"):
            files = event.kwargs.get("data_files") or event.kwargs.get("data_dir")
            if files is not None and isinstance(files.data, str):
                keep_path(view, files)
            continue
        subset = event.arg(1, "name")
        text = (
            f"{name.data}/{subset.data}"
            if subset is not None and isinstance(subset.data, str) and event.short == "load_dataset"
            else name.data
        )
        view.keep("dataset_name", text, (*name.src, event.spot))
    for event in view.ending("tfds.load", "tensorflow_datasets.load", "tfds.builder", "tensorflow_datasets.builder"):
        name = event.arg(0, "name")
        if name is not None and isinstance(name.data, str):
            view.keep("dataset_name", name.data.partition(":")[0], name.src)


def by_class(view: View) -> None:
    """Take the class or module that a library's data set is made by."""
    for event in sorted(view.events, key=lambda event: not event.sure):
        parts = event.name.split(".")
        exact = known_dataset(parts[-1]) is not None and parts[-1][:1].isupper() and not event.owner
        if "datasets" not in parts and "dataset" not in parts and not exact:
            continue
        short = parts[-1] if parts[-1] not in ("load_data", "load") else parts[-2]
        if short in ("ImageFolder", "DatasetFolder"):
            if event.args and isinstance(event.args[0].data, str):
                keep_path(view, event.args[0])
            continue
        known = known_dataset(short)
        if known is not None:
            view.keep("dataset_name", known[0], (event.spot,))


def by_environment(view: View) -> None:
    """Take the environment of reinforcement learning."""
    for event in view.named(*ENVIRONMENTS):
        if not event.name.startswith(
            ("gym", "envpool", "stable_baselines3", "gymnasium", "procgen", "dm_control", "brax", "pettingzoo")
        ):
            continue
        name = event.arg(0, "id", "env_id", "task_id")
        if name is not None and isinstance(name.data, str):
            view.keep("dataset_name", name.data, name.src or (event.spot,))
    for event in view.events:
        if (
            event.name.startswith(("stable_baselines3.", "sb3_contrib."))
            and len(event.args) > 1
            and isinstance(event.args[1].data, str)
        ):
            view.keep("dataset_name", event.args[1].data, event.args[1].src)


def by_option(view: View) -> None:
    """Take the option that names the data."""
    for _, value in view.options("dataset_name"):
        data = value.data
        if value.src and ASIDE_FOLDER.search(value.src[0].path):
            continue
        if (
            isinstance(data, str)
            and 1 < len(data) < 120
            and "$" not in data
            and not data.startswith(("/", "./", "../", "~"))
        ):
            if data.lower() in ("train", "default", "custom", "none", "auto", "json"):
                continue
            known = known_dataset(data)
            view.keep("dataset_name", known[0] if known is not None and "/" not in data else data, value.src)
        elif isinstance(data, (list, tuple)) and data:
            from_list(view, data[0])


def from_list(view: View, first: Val) -> None:
    """Take the first of several data sets: a name, or a mapping with its path."""
    if isinstance(first.data, str):
        view.keep("dataset_name", first.data, first.src)
    elif isinstance(first.data, dict):
        for key in ("path", "name", "dataset", "hf_path", "dataset_name"):
            value = first.data.get(key)
            if value is not None and isinstance(value.data, str):
                view.keep("dataset_name", value.data, value.src)
                return


def by_path(view: View) -> None:
    """Take a known data set's name off the path of the data."""
    for _, value in [*view.options("data_path"), *view.options("dataset_name")]:
        if isinstance(value.data, str):
            keep_path(view, value)
    for event in view.events:
        if any(word in event.short.lower() for word in ("dataset", "loader", "folder", "reader", "memmap", "corpus")):
            for value in [*event.args, *event.kwargs.values()]:
                if isinstance(value.data, str):
                    keep_path(view, value)


def by_files(view: View) -> None:
    """Take a known data set's name off the repository's own data classes."""
    for value in view.run.instances:
        name = value.data.cls.name
        if "dataset" in name.lower() or "datamodule" in name.lower() or "data" in name.lower():
            known = known_dataset(name.lower().replace("datamodule", "").replace("dataset", ""))
            if known is not None:
                view.keep("dataset_name", known[0], (value.data.spot, value.data.cls.spot))


def by_any_path(view: View) -> None:
    """Take a known data set's name off any path or address that the code opens."""
    for event in view.events:
        if event.short not in (
            "open",
            "get",
            "urlretrieve",
            "download",
            "Path",
            "loadtxt",
            "genfromtxt",
            "read_csv",
            "join",
        ):
            continue
        for value in event.args[:2]:
            if isinstance(value.data, str) and "/" in value.data:
                keep_path(view, value)


def by_own_class(view: View) -> None:
    """Take the name of the repository's own class of data, where it says more than that it is one."""
    for event in training_loaders(view):
        data = event.arg(0, "dataset")
        if data is not None and isinstance(data.data, Instance):
            name = data.data.cls.name
            stem = name.removesuffix("Dataset").removesuffix("DataSet").lower()
            if stem and stem not in PLAIN_DATA:
                view.keep("dataset_name", name, (data.data.spot, data.data.cls.spot))


def keep_path(view: View, value: Val) -> None:
    """Keep the data set that a path names."""
    known = known_dataset(value.data)
    if known is not None:
        view.keep("dataset_name", known[0], value.src)
