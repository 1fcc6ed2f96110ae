"""Data that a program fetches or has made by a library's function: by what the function is told, else by its name."""

import posixpath
from collections.abc import Callable

import re2

from schedmate.knowledge.code_words import words
from schedmate.knowledge.datasets import known_dataset
from schedmate.readers.code.evidence.rule import Rule
from schedmate.readers.code.evidence.subjects import Subject
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.telling_paths import telling_part, with_slashes
from schedmate.readers.code.values.events import Event
from schedmate.readers.code.values.value import External, Value, sequence_of

PRICES = words("data.fetching_prices")
LONGEST = 120

OF_NETWORKS = re2.compile(
    r"(?i)weight|pretrained|checkpoint|vocab|tokenizer|model([^n]|$)|\.(h5|hdf5|keras|ckpt|pth?|pb|tflite|onnx)$"
)
"""What files and addresses are called that are fetched beside the data."""
MOST_NAMES = 3
"""Of more shares than these only the first are named."""


def text_of(value: Value | None) -> str:
    """Give a short text that is told."""
    text = value.data if value is not None else None
    return text if isinstance(text, str) and 1 < len(text) < LONGEST and "$" not in text and "{" not in text else ""


def of_prices(event: Event) -> str:
    """Name prices after the shares that are asked for."""
    told = event.arg(0, "tickers", "name", "ticker", "symbols")
    names = [name for one in (*sequence_of(told), told) if (name := text_of(one))]
    return f"{', '.join(names[:MOST_NAMES])} stock prices (Yahoo Finance)" if names else ""


def of_hub(event: Event) -> str:
    """Name a set of a hub by the last part of what it is asked for by: `owner/name`."""
    return posixpath.basename(text_of(event.arg(0, "handle", "dataset", "dataset_id_or_url")).rstrip("/"))


def of_told_name(event: Event) -> str:
    """Take the name that a function is told."""
    return text_of(event.arg(0, "name", "dataset_name", "project_name", "project_id"))


def of_file(event: Event) -> str:
    """Name what Keras fetches after the known set that its file or address names, else after the file."""
    texts = [text_of(event.arg(0, "fname")), text_of(event.arg(1, "origin"))]
    if any(OF_NETWORKS.search(text) for text in texts):
        return ""
    known = next((found for text in texts if text and (found := known_dataset(text)) is not None), None)
    return known.name if known is not None else telling_part(texts[0].partition(".")[0]) if texts[0] else ""


def of_address(event: Event) -> str:
    """Take the name that fastai keeps an address under: `URLs.PETS`."""
    told = event.arg(0, "url")
    name = told.data.name if told is not None and isinstance(told.data, External) else ""
    found = name.rpartition("URLs.")[2] if "URLs." in name else ""
    known = known_dataset(found)
    return known.name if known is not None else found


def of_making(event: Event) -> str:
    """Name data that scikit-learn makes up."""
    return f"synthetic data ({event.short})"


def of_class(event: Event) -> str:
    """Name a set of a library after its class."""
    return event.short.removesuffix("Dataset") if event.short[:1].isupper() else ""


def of_settings(event: Event) -> str:
    """Name the data of a detector after the file that lists its pictures, or after the folder that the file lies in."""
    told = text_of(event.kwargs.get("data"))
    known = known_dataset(told) if told else None
    return (
        known.name
        if known is not None
        else telling_part(with_slashes(told))
        if told.endswith((".yaml", ".yml"))
        else ""
    )


Namer = Callable[[Event], str]

FETCHERS: tuple[tuple[tuple[str, ...], tuple[str, ...], Namer], ...] = (
    (("yfinance.", "pandas_datareader."), tuple(PRICES), of_prices),
    (("kagglehub.",), ("dataset_download", "load_dataset", "dataset_load"), of_hub),
    (("kaggle.", "opendatasets."), ("dataset_download_files", "download"), of_hub),
    (("roboflow.",), ("project",), of_told_name),
    (("sklearn.datasets.",), ("fetch_openml",), of_told_name),
    (("keras.", "tensorflow.keras."), ("get_file",), of_file),
    (("fastai.",), ("untar_data",), of_address),
    (("sklearn.datasets.",), tuple(words("data.making_up")), of_making),
    (("darts.datasets.", "dgl.data."), (), of_class),
    (("ultralytics.",), ("train",), of_settings),
)
"""Beginnings of names, last parts (none: all), and how what is fetched is named."""


def by_fetching(view: View) -> None:
    """Take what is fetched or made up by a function of a library, where it is surely called."""
    for event in view.events:
        for starts, shorts, namer in FETCHERS if event.sure else ():
            if event.name.startswith(starts) and (not shorts or event.short in shorts) and (name := namer(event)):
                known = known_dataset(name) if namer is not of_prices else None
                view.keep("dataset_name", known.name if known is not None else name, (event.spot,))


RULES = (Rule(Subject.DATA, "what is fetched or made up", by_fetching),)
