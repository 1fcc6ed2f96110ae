"""Why a field of a job has its value: who proposed it, how surely, from what line, and what gave way."""

from rich.text import Text

from schedmate.cli.render import console
from schedmate.errors import InputError
from schedmate.readers.code.evidence.proposals import ProposedValue
from schedmate.readers.code.open_reasons import TrailEnd
from schedmate.readers.code.reader import CodeReading, quote
from schedmate.readers.code.verify import FIELDS
from schedmate.schemas import Evidence
from schedmate.tools.repository import Repository

MOST_SHOWN = 20


def print_explanation(repository: Repository, command: str, reading: CodeReading, name: str) -> None:
    """Print the value that was kept, then those that gave way, each with its place."""
    found = reading.proposals.get(name, [])
    if not found and name not in FIELDS and not name.startswith("extra."):
        raise InputError(f"{name} is no field of a job", f"one of: {', '.join(FIELDS)}, extra.NAME")
    kept = name.removeprefix("extra.") in reading.workload.extra or getattr(reading.workload, name, None) is not None
    if not kept:
        console().print(Text.assemble((name, "bold"), " is open"), soft_wrap=True)
        print_trail_end(repository, command, reading.ends.get(name))
    for place, one in enumerate(found[:MOST_SHOWN]):
        print_proposal(repository, command, one, name if kept and place == 0 else "gave way")
    if len(found) > MOST_SHOWN:
        console().print(f"and {len(found) - MOST_SHOWN:,} more that gave way")


def print_proposal(repository: Repository, command: str, one: ProposedValue, label: str) -> None:
    """Print one proposal: its value, who makes it and how surely, and the lines that it rests on."""
    who = f"{one.by.name}, {one.by.certainty.name.lower()}"
    console().print(Text.assemble((label, "bold"), f" = {one.value}   ", (who, "dim")), soft_wrap=True)
    proofs = [proof for spot in one.spots if (proof := quote(repository, spot, command, one)) is not None]
    for proof in proofs:
        console().print(Text(f"  {place_of(proof)}  {proof.quote}"), soft_wrap=True)
    for note in dict.fromkeys(proof.note for proof in proofs if proof.note):
        console().print(Text(f"  {note}", style="dim"), soft_wrap=True)


def print_trail_end(repository: Repository, command: str, end: TrailEnd | None) -> None:
    """Print where the trail ended, with the line that it ended at."""
    if end is None:
        return
    console().print(Text(f"  {end}"), soft_wrap=True)
    for spot in end.spots[:3]:
        proof = quote(repository, spot, command, ProposedValue("", ()))
        if proof is not None:
            console().print(Text(f"  {place_of(proof)}  {proof.quote}"), soft_wrap=True)


def place_of(proof: Evidence) -> str:
    """Name the place of a quote."""
    return proof.path if proof.path == "command" else f"{proof.path}:{proof.line}"
