"""What a network without a class is called, that is only layers put together: by its maker, its module, its kind."""

import posixpath

import re2

from schedmate.knowledge.models import family_of, layer_type
from schedmate.readers.code.evidence.proposals import Basis
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.networks.maker_functions import name_by_function
from schedmate.readers.code.fields.networks.model_types import layers_kind
from schedmate.readers.code.fields.networks.nested_calls import nested_calls
from schedmate.readers.code.fields.networks.network_names import network_of
from schedmate.readers.code.fields.networks.picked_classes import is_picked_module
from schedmate.readers.code.fields.networks.tidy_names import tidy
from schedmate.readers.code.values.objects import ExternalResult
from schedmate.readers.code.values.value import SourceLocation

PLAIN_KINDS = {"cnn": "CNN", "mlp": "MLP", "transformer": "Transformer"}

CONVOLVES = re2.compile(r"^Conv(?:olution)?([123])[dD]$")
"""Layers that go along lines, across pictures, through volumes."""

KINDS = ("rnn", "cnn", "mlp", "dnn", "ann", "transformer")
"""Folders of this name say the kind of their networks alone."""

RECURRENT = ("LSTM", "GRU", "SimpleRNN")
"""How networks without a name are called, by what they are built of."""

SPREAD = ("Bidirectional",)
"""What has a recurrent layer read both ways, and is itself no kind."""

ROLE = re2.compile(r"^(?:symbol|model|net|network)[-_]")
"""How modules of networks begin beside the name: `symbol_lenet`."""


def by_kind(view: View) -> None:
    """Call a network that is no class, only layers put together, what such networks are called; mixed ones nothing."""
    known = view.once(network_of)
    if known.value is None or known.name or not isinstance(known.value.data, ExternalResult):
        return
    made = name_by_function(view, known.value.data)
    if made is not None:
        view.keep("model_name", *made, basis=Basis.MAKER_FUNCTION)
        return
    kind, spots = layers_kind(view, known.value)
    name = name_of_kind(kind, known.value.data)
    if (picked := picked_module(view, spots)) is not None:
        view.keep("model_name", picked, spots, f"the name of {spots[0].path}")
    if name is not None and known.option is not None and view.is_told(known.option):
        view.keep("model_name", tidy(str(known.option.data)), known.option.src)
    if name is not None:
        view.keep("model_name", name, spots, "what it is built of")


def picked_module(view: View, spots: tuple[SourceLocation, ...]) -> str | None:
    """Give the model's name of the one module in which layers stand, where the program picks it by that name."""
    stem = posixpath.basename(spots[0].path).removesuffix(".py") if len({spot.path for spot in spots}) == 1 else ""
    name = str(ROLE.sub("", stem))
    return name if name and family_of(name) is not None and is_picked_module(view, stem) else None


def name_of_kind(kind: str | None, network: ExternalResult) -> str | None:
    """Give what networks of a kind are called, recurrent ones by their only kind of cells."""
    parts = {one.data.short for one in nested_calls(network)}
    if kind != "rnn":
        ways = {str(match.group(1)) for one in parts if (match := CONVOLVES.search(one)) is not None}
        along = f"{ways.pop()}D " if kind == "cnn" and len(ways) == 1 and ways != {"2"} else ""
        return f"{along}{PLAIN_KINDS[kind]}" if kind in PLAIN_KINDS else None
    recurrent = parts.intersection(RECURRENT)
    alone = len(recurrent) == 1 and layer_type(parts - {*RECURRENT, *SPREAD}) in ("mlp", None)
    return recurrent.pop() if alone else None
