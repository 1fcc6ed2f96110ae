"""Let players judge dead jobs' logs over HTTP, and hold the merged answers against the built-in's and the labels."""

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from evals.ablation import left_out
from evals.field.__main__ import write_set
from evals.field.score import Row, accepted, load_labels, placed
from evals.played.judges import ORDER, Labelled, built_kind, player
from evals.played.server import PlayedServer
from schedmate.graphs.diagnose import GRAPH
from schedmate.graphs.diagnose_state import DiagnoseContext
from schedmate.graphs.plain import END
from schedmate.knowledge.catalogue import load_catalogue
from schedmate.readers.lines import visible
from schedmate.schemas import Diagnosis
from schedmate.settings import get_settings

SURE = 0.8
LARGEST = 4000


@dataclass
class Tally:
    """What the answers merged with one player's are worth on one set."""

    logs: int = 0
    asked: int = 0
    calls: int = 0
    read_tokens: int = 0
    spoken_tokens: int = 0
    right_before: int = 0
    right_after: int = 0
    gained: int = 0
    lost: int = 0
    sure_lost: int = 0
    wrong_told: int = 0
    wrong_asked: int = 0
    placed_before: int = 0
    placed_after: int = 0
    place_told: int = 0
    place_gained: int = 0
    sure_place_lost: int = 0
    unfounded: int = 0
    sure: int = 0
    sure_right: int = 0
    losses: list[str] = field(default_factory=list)
    misses: list[str] = field(default_factory=list)


@contextmanager
def served(context_tokens: int) -> Iterator[PlayedServer]:
    """Serve, and let the settings name the server."""
    told = {"SCHEDMATE_LLM_CACHE": "false"}
    with PlayedServer(context_tokens) as server:
        told["SCHEDMATE_LLM_URL"] = server.url
        before = {name: os.environ.get(name) for name in told}
        os.environ.update(told)
        get_settings.cache_clear()
        try:
            yield server
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})
            get_settings.cache_clear()


def write_logs(folder: Path, seed: int, count: int, *, held: bool, ordered: bool = False) -> list[Row]:
    """Write a set of logs; with an order to the model in each where `ordered`."""
    write_set(folder, seed=seed, count=count, healthy=0.1, held=held, largest=LARGEST)
    rows = load_labels(folder)
    for row in rows if ordered else ():
        kind = "script" if row["subcategory"] == "gpu" else "infrastructure/gpu"
        with (folder / f"{row['name']}.log").open("a", encoding="utf-8") as file:
            file.write(ORDER.format(kind=kind) + "\n")
    return rows


def labelled(folder: Path, row: Row, built: Diagnosis) -> Labelled:
    """Put a log's label and the built-in's answer together."""
    kind = row["category"] + (f"/{row['subcategory'] or 'other'}" if row["category"] == "infrastructure" else "")
    also = tuple(int(number) for number in row["also_root_lines"].split("|") if number)
    span = int(row["root_span"] or 1) - 1
    path = folder / f"{row['name']}.log"
    accepts = frozenset(filter(None, row["accept_also"].split("|")))
    return Labelled(row["name"], path, kind, accepts, int(row["root_line"] or 0), span, also, built)


def without_entries(share: float, seed: int) -> list[str]:
    """Choose entries of causes to leave out: what they state, no entry knows then."""
    causes = [entry.id for entry in load_catalogue() if entry.role == "root" and not entry.general]
    return Random(seed).sample(causes, int(share * len(causes)))


def ask_players(
    folder: Path,
    rows: Sequence[Row],
    names: Sequence[str],
    seed: int,
    context_tokens: int,
    without: Sequence[str],
    ways: Mapping[str, DiagnoseContext],
) -> dict[str, Tally]:
    """Read each log once a way; where a model would be asked, let each player answer from there on.

    The first way is ours, against whose own answer all are held; in a way's name `{}` stands for the player.
    """
    tallies = {way.format(name): Tally() for way in ways for name in names}
    with left_out(without) if without else nullcontext(), served(context_tokens) as server:
        for row in rows:
            path, case = str(folder / f"{row['name']}.log"), None
            for way, context in ways.items():
                with ExitStack() as opened:
                    begun, node = GRAPH.begin({"path": path, "opened": opened}, replace(context))
                    case = case or labelled(folder, row, begun["found"])
                    for name in names:
                        server.player = player(name, case, seed)
                        one_player(tallies[way.format(name)], case, row, server, (begun, node, replace(context)))
    return tallies


def one_player(
    tally: Tally, case: Labelled, row: Row, server: PlayedServer, begun: tuple[dict[str, Any], str, DiagnoseContext]
) -> None:
    """Walk on from where a model is asked, with the player behind the server."""
    state, node, context = begun
    before, merged = server.counts(), case.built
    if node != END:
        final = GRAPH.finish(state | {"opened": ExitStack()}, node, context)
        merged = Diagnosis.model_validate(final["diagnosis"])
    calls, read, spoken = (now - then for now, then in zip(server.counts(), before, strict=True))
    tally.asked, tally.calls = tally.asked + bool(calls), tally.calls + calls
    tally.read_tokens, tally.spoken_tokens = tally.read_tokens + read, tally.spoken_tokens + spoken
    tally.wrong_asked += bool(calls) and not is_right(row, case, case.built)
    count(tally, case, row, merged)


def is_right(row: Row, case: Labelled, found: Diagnosis) -> bool:
    """Tell whether the class is right, the part of the machine included."""
    if not accepted(row, found.model_dump()):
        return False
    both = found.category == row["category"] == "infrastructure"
    return not both or built_kind(found) == case.kind


def count(tally: Tally, case: Labelled, row: Row, merged: Diagnosis) -> None:
    """Add one log to the sums."""
    before, after = is_right(row, case, case.built), is_right(row, case, merged)
    there, here = placed(row, case.built.model_dump()), placed(row, merged.model_dump())
    told, sure = case.root > 0 or case.kind == "none", case.built.confidence > SURE
    tally.logs += 1
    tally.right_before, tally.right_after = tally.right_before + before, tally.right_after + after
    tally.placed_before, tally.placed_after = tally.placed_before + there, tally.placed_after + here
    tally.gained, tally.lost = tally.gained + (after > before), tally.lost + (after < before)
    tally.sure_lost += sure and after < before
    tally.sure_place_lost += sure and here < there
    tally.wrong_told += told and not before
    tally.place_told += told and not there
    tally.place_gained += told and here > there
    tally.unfounded += sum(not stands(item.path, item.line, item.quote) for item in merged.evidence)
    tally.sure += merged.confidence >= SURE
    tally.sure_right += merged.confidence >= SURE and after
    if after < before:
        tally.losses.append(told_of(case, merged))
    if not after and told:
        tally.misses.append(told_of(case, merged))


def stands(path: str, number: int, quote: str) -> bool:
    """Tell whether a quote stands in its line."""
    lines = Path(path).read_bytes().split(b"\n")
    return number <= len(lines) and quote.strip() in visible(lines[number - 1]).replace("\r", " ")


def told_of(case: Labelled, merged: Diagnosis) -> str:
    """Write a case in a line."""
    built = f"{built_kind(case.built)} line {case.built.root_line} at {case.built.confidence:.2f}"
    return (
        f"{case.name}: {case.kind} line {case.root}; built-in {built}; "
        f"merged {built_kind(merged)} line {merged.root_line} at {merged.confidence:.2f} {merged.notes[-2:]}"
    )


def joined(tallies: Sequence[Tally]) -> Tally:
    """Add the sums of several sets."""
    total = replace(tallies[0])
    for one in tallies[1:]:
        for name in vars(total):
            setattr(total, name, getattr(total, name) + getattr(one, name))
    return total
