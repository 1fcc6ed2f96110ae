"""A trace as columns, so that a million jobs take tens of megabytes."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

Sizes = Ints | Floats
"""How many GPUs: whole numbers, or floats where a trace has parts of GPUs."""


@dataclass(frozen=True)
class Labels:
    """A column of few words: codes and the words they stand for."""

    codes: npt.NDArray[np.int32]
    words: tuple[str, ...]

    @staticmethod
    def of(values: Sequence[str]) -> "Labels":
        """Number the words by first appearance."""
        numbers: dict[str, int] = {}
        codes = np.fromiter((numbers.setdefault(value, len(numbers)) for value in values), np.int32, len(values))
        return Labels(codes, tuple(numbers))

    @staticmethod
    def same(word: str, count: int) -> "Labels":
        """Give a column that holds one word."""
        return Labels(np.zeros(count, np.int32), (word,))

    def __getitem__(self, index: int) -> str:
        return self.words[int(self.codes[index])]

    def listed(self) -> list[str]:
        """Give the words of all rows."""
        words = self.words
        return [words[code] for code in self.codes.tolist()]

    def at(self, index: npt.NDArray[Any]) -> "Labels":
        """Pick rows."""
        return Labels(self.codes[index], self.words)


NO_LABELS = Labels(np.empty(0, np.int32), ())
"""A column that the format has not."""


@dataclass(frozen=True)
class Trace:
    """Jobs in the order of submit time, then id; row numbers are the jobs' numbers."""

    name: str
    job_id: npt.NDArray[Any]
    submit_s: Floats
    duration_s: Floats
    gpus: Sizes
    """Floats where some ask for a part of one GPU."""
    user: Labels
    vc: Labels
    job_name: Labels
    status: Labels
    kind: Labels
    """Accelerator kind that was asked for; empty: any."""
    line: Ints
    """Where the row stands in its file, to name it; 0 where there is none."""
    extra: tuple[str, ...] = ()
    """As read, `key=value` pairs; empty where the format has none."""
    waited_s: Floats = field(default_factory=lambda: np.empty(0))
    """From submission to the first start, as recorded; NaN where that is not known, empty where it never is."""
    limit_s: Floats = field(default_factory=lambda: np.empty(0))
    """The time limit that the user set; NaN where there was none, empty where the format has none."""
    account: Labels = NO_LABELS
    """Who pays, as Slurm's accounts have it; empty where the format has none."""
    qos: Labels = NO_LABELS
    """The quality of service that was asked for; empty where the format has none."""
    origin_s: float = 0.0
    """Seconds since the epoch from which times count; 0 where the trace tells none."""
    notes: tuple[str, ...] = field(default=())
    """What a reader had to assume; shown to the user once."""

    def __len__(self) -> int:
        return len(self.submit_s)

    def sizes(self) -> list[float]:
        """Give what each job asks for; only parts of one GPU are no whole numbers."""
        asked: list[float] = self.gpus.tolist()
        return asked if self.gpus.dtype == np.int64 else [gpus if gpus < 1 else int(gpus) for gpus in asked]

    def rows(self, index: npt.NDArray[Any]) -> "Trace":
        """Pick rows by mask or number, in trace order."""
        return self.rows_in_order(np.flatnonzero(index) if index.dtype == bool else np.sort(index))

    def rows_in_order(self, picked: npt.NDArray[Any]) -> "Trace":
        """Pick rows by number, in the order given."""
        return replace(
            self,
            job_id=self.job_id[picked],
            submit_s=self.submit_s[picked],
            duration_s=self.duration_s[picked],
            gpus=self.gpus[picked],
            user=self.user.at(picked),
            vc=self.vc.at(picked),
            job_name=self.job_name.at(picked),
            status=self.status.at(picked),
            kind=self.kind.at(picked),
            line=self.line[picked],
            extra=tuple(self.extra[i] for i in picked) if self.extra else (),
            waited_s=self.waited_s[picked] if len(self.waited_s) else self.waited_s,
            limit_s=self.limit_s[picked] if len(self.limit_s) else self.limit_s,
            account=self.account.at(picked) if len(self.account.codes) else self.account,
            qos=self.qos.at(picked) if len(self.qos.codes) else self.qos,
        )


def by_submission(submit_s: Floats, job_id: npt.NDArray[Any]) -> npt.NDArray[np.intp]:
    """Order rows by submit time, then id; ids that are all whole numbers compare as numbers."""
    try:
        tie = job_id.astype(np.int64)
    except (ValueError, OverflowError):
        tie = job_id
    return np.lexsort((tie, submit_s))
