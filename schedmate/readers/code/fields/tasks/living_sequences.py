"""Sequences of living things, proteins and genes: their letters, files and readers tell them from texts."""

from collections.abc import Iterator

import re2

from schedmate.knowledge.code_words import words
from schedmate.knowledge.tasks import classifies
from schedmate.readers.code.evidence.config_sections import flattened
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.tasks.loss_tasks import losses_of
from schedmate.readers.code.fields.tasks.task_clues import keep_task, known
from schedmate.readers.code.values.value import SourceLocation

AMINO_ACIDS = frozenset("ACDEFGHIKLMNPQRSTVWY")

NO_AMINO_ACID = "J"
"""The letter that stands for none: an alphabet that holds it is one of texts."""
NUCLEOTIDES, BASES = frozenset("ACGTUN"), frozenset("ACG")

LETTERS = re2.compile(r"""["']([A-Z*.-]{4,34})["']""")
"""A text of capitals."""
LISTED = re2.compile(r"""(?:["'][A-Z*.-]["'] ?(?:: ?-?\d+ ?)?,?\s*){4,40}""")
"""One letter after the other, in a list or as keys of numbers."""
QUOTED = re2.compile(r"""["']([A-Z*.-])["']""")

FILES = (".fasta", ".fa", ".faa", ".fna", ".fasta.gz", ".fa.gz")
READERS = ("Bio.SeqIO", "pysam.FastaFile", "pyfaidx.Fasta", "pyfastx.Fasta")
HEADS, WRITING = ("MaskedLM", "CausalLM", "LMHead"), ("language modeling", "translation")
GRAPHS = frozenset(words("tasks.libraries_of_graphs"))

MEASURING = frozenset({"accuracy_score", "roc_auc_score", "f1_score", "matthews_corrcoef", "average_precision_score"})
"""Calls that measure how whole samples are sorted: a loss over classes may be one over the letters."""


def by_living_sequences(view: View) -> None:
    """Take what reads letters of amino acids or of genes as none of texts and pictures; graphs of them stay graphs."""
    if not view.imports.isdisjoint(GRAPHS):
        return
    told = next(lettered(view), None)
    if told is None:
        spot = next(read_sequences(view), None)
        if spot is not None:
            keep_task(view, "other", "", (spot,))
        return
    kind, spot = told
    called = {loss for event in view.events for loss in losses_of(event)}
    measured = any(event.short in MEASURING for event in view.events)
    sorts = classifies(called, "CV") is not None and not models_language(view)
    fine = f"{kind} sequence modeling" if not sorts else f"{kind} classification" if measured else ""
    keep_task(view, "other", fine, (spot,))


def models_language(view: View) -> bool:
    """Tell a network that fills gaps or writes on: its classes are letters."""
    family = known(view).family
    usual = f"{family.fine} {family.usual}" if family is not None else ""
    return any(word in usual for word in WRITING) or any(head in event.name for event in view.events for head in HEADS)


def lettered(view: View) -> Iterator[tuple[str, SourceLocation]]:
    """Give what an alphabet in the program's files is of, and where it stands."""
    for path in view.run.trees:
        text = view.run.repository.glimpse(path)
        alphabets = [(found.start(), found.group(1)) for found in LETTERS.finditer(text)]
        alphabets += [(found.start(), "".join(QUOTED.findall(found.group(0)))) for found in LISTED.finditer(text)]
        for place, letters in alphabets:
            kind = alphabet_of(letters)
            if kind is not None:
                yield kind, SourceLocation(path, text.count("\n", 0, place) + 1)


def alphabet_of(letters: str) -> str | None:
    """Say what letters are of, if they are those of proteins or of genes, each named about once."""
    held = {letter for letter in letters if letter.isalpha()}
    if len(letters) > len(held) + 8:
        return None
    if held >= AMINO_ACIDS and NO_AMINO_ACID not in held:
        return "protein"
    return "genomic" if BASES < held <= NUCLEOTIDES and len(letters) <= len(held) + 1 else None


def read_sequences(view: View) -> Iterator[SourceLocation]:
    """Give where sequences are read from files of their own kind, or such a file is named."""
    for event in view.events:
        if event.sure and event.name.startswith(READERS):
            yield event.spot
    for mapping in (view.told, *view.namespaces, *view.chosen_configs):
        for _, value in flattened(mapping):
            if isinstance(value.data, str) and value.data.lower().endswith(FILES) and value.src:
                yield value.src[0]
