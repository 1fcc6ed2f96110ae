"""The options of `schedmate simulate`, made from those that a simulation declares."""

from collections.abc import Callable
from functools import wraps
from inspect import Parameter, Signature
from typing import Any

import typer

from schedmate.scheduling.simulation.options import OUTPUT, Declared, SimulationOptions, declared

WORDS = tuple[str, ...]
"""What is given as one text, with commas between."""
AS_JSON = typer.Option(False, "--json", help="Print one JSON line a policy.", rich_help_panel=OUTPUT)


def with_options(command: Callable[[SimulationOptions, bool], None]) -> Callable[..., None]:
    """Let a command be called by the options as typer reads them: it looks at the signature alone."""
    told = tuple(declared())

    @wraps(command)
    def called(*, as_json: bool, **given: Any) -> None:
        words = {one.name: split(given[one.name]) for one in told if one.kind == WORDS}
        command(SimulationOptions(**given | words), as_json)

    parameters = [*map(parameter, told), Parameter("as_json", Parameter.KEYWORD_ONLY, default=AS_JSON, annotation=bool)]
    called.__annotations__ = {one.name: one.annotation for one in parameters}
    vars(called).update(__signature__=Signature(parameters))
    return called


def parameter(one: Declared) -> Parameter:
    """Write an option as typer reads it; what is on can be switched off."""
    default, kind = (",".join(one.default), str) if one.kind == WORDS else (one.default, one.kind)
    flag = f"{one.flag}/--no-{one.name}" if one.default is True else one.flag
    told = one.told
    option = typer.Option(default, flag, help=told.words, rich_help_panel=told.panel, min=told.least, max=told.most)
    return Parameter(one.name, Parameter.KEYWORD_ONLY, default=option, annotation=kind)


def split(text: str) -> tuple[str, ...]:
    """Read words with commas between, each once."""
    return tuple(dict.fromkeys(word.strip() for word in text.split(",") if word.strip()))
