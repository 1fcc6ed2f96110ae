"""`schedmate history import` from an engine that is asked itself, and the index of what came in."""

import json
import time
from dataclasses import asdict, replace

from schedmate.cli.history_options import history, moment, say_notes
from schedmate.cli.render import progress
from schedmate.cli.saying import say

SLURM_UNTIL = "slurm history until"

FIRST_S, OVERLAP_S = 90 * 86_400.0, 86_400.0
"""How far the first import goes back; and how far behind the last one: what ended may have been entered late."""


def import_slurm(is_asked: bool, since: str, source: str, as_json: bool) -> None:
    """Ask the accounting, and remember how far that went, so that the next time asks for what is new."""
    import tempfile
    from contextlib import closing

    from schedmate.cli.history_pages import print_imported
    from schedmate.clusters.engines import write_accounting
    from schedmate.errors import InputError
    from schedmate.history.importers.importing import import_file
    from schedmate.history.live import LiveStore
    from schedmate.settings import get_settings

    if not is_asked:
        raise InputError(
            "either files are imported, or one engine is asked", "history import FILE, or --slurm, or --kubernetes"
        )
    with (
        closing(LiveStore(get_settings().data_dir)) as store,
        tempfile.NamedTemporaryFile("w", suffix=".sacct") as table,
    ):
        until_s, last = time.time(), store.fact(SLURM_UNTIL)
        since_s = moment(since) or (float(last) - OVERLAP_S if last else until_s - FIRST_S)
        with progress("asking sacct") as advance:
            write_accounting(table.file, since_s, until_s, advance)
        table.flush()
        with progress("importing", as_bytes=True) as advance:
            done = import_file(store.data_dir, f"{table.name}:sacct", source or "sacct", 0.0, advance)
        store.set_fact(SLURM_UNTIL, f"{until_s:.0f}")
    if as_json:
        say(json.dumps(asdict(done) | {"path": "sacct"}))
    else:
        print_imported(replace(done, path="sacct"))
    index_imported()


def import_kubernetes(namespace: str, context: str, source: str, as_json: bool) -> None:
    """Ask the cluster for what it remembers of jobs."""
    import tempfile

    from schedmate.cli.history_pages import print_imported
    from schedmate.clusters.engines import write_objects
    from schedmate.history.importers.importing import import_file
    from schedmate.settings import get_settings

    with tempfile.NamedTemporaryFile("w", suffix=".json") as listed:
        with progress("asking Kubernetes") as advance:
            notes = write_objects(listed.file, namespace, context, advance)
        with progress("importing", as_bytes=True) as advance:
            done = import_file(get_settings().data_dir, f"{listed.name}:kubernetes", source, 0.0, advance)
    if as_json:
        say(json.dumps(asdict(done) | {"path": "kubernetes"}))
    else:
        print_imported(replace(done, path="kubernetes"))
    say_notes(list(notes))
    index_imported()


def index_imported() -> None:
    """Index the workloads that came in, so that the next question need not; a job has come in even if that fails."""
    from schedmate.errors import StoreError
    from schedmate.history.similarity.names import NameCloseness
    from schedmate.history.similarity.upkeep import index_new
    from schedmate.models.embeddings import open_embedder
    from schedmate.settings import get_settings

    settings = get_settings()
    notes: list[str] = []
    with history() as connection, progress("indexing workloads") as advance:
        try:
            index_new(
                connection,
                settings.data_dir,
                settings.vectors,
                lambda: NameCloseness(open_embedder(settings)),
                advance,
                notes.append,
            )
        except StoreError as error:
            notes.append(f"the workloads are not indexed yet: {error.message} ({error.hint})")
    say_notes(notes)
