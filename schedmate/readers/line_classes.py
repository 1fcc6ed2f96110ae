"""The Log Classifier: say of a log line, or of a chunk, whether it is error, warning, training progress or other.

As in the paper, a line belongs to the class whose description its embedding is nearest to. A class has many
descriptions (knowledge/line_classes.toml), because one sentence cannot describe everything that goes wrong. Lines
repeat, so they are masked to templates and each template is embedded once: the cost is per new statement.
"""

from collections import Counter, OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from schedmate.knowledge.tables import table
from schedmate.models.embedders.embedder import Embedder
from schedmate.readers.templates import mask_line
from schedmate.schemas import LineClass

CLASSES: tuple[LineClass, ...] = ("error", "warning", "progress", "other")
REMEMBERED = 50_000

SHARPNESS = 20.0
"""How far the nearest description outweighs the class's other ones."""

CHUNK_LINES = 20

CLEAR = 0.15
"""The margin from which on a single error line makes its chunk an error."""

NOTHING_SHARE = 85
"""A line must be more like a class than so many per cent of the lines that say nothing, or it has none of the three."""

BATCH = 1024


@dataclass(frozen=True, slots=True)
class ClassVerdict:
    """A class, and the similarity to each class in the order of CLASSES."""

    label: LineClass
    scores: tuple[float, float, float, float]

    @property
    def margin(self) -> float:
        """Tell how clear the case is: how far the best class leads the next one."""
        best, second, *_ = sorted(self.scores, reverse=True)
        return best - second


NOTHING = ClassVerdict("other", (0.0, 0.0, 0.0, 0.0))

OF_A_STACK = ClassVerdict("error", (1.0, 0.0, 0.0, 0.0))
"""A call and the source under it belong to the exception that they lead to, whatever the words of the source."""


def class_descriptions() -> dict[LineClass, tuple[str, ...]]:
    """Say what each class is, in sentences and in lines of its kind."""
    return {
        label: (*table("line_classes")[label]["descriptions"], *table("line_classes")[label]["lines"])
        for label in CLASSES
    }


class LineClassifier:
    """Classify lines with any embedder; templates that were seen are answered from memory."""

    def __init__(self, embedder: Embedder, remembered: int = REMEMBERED) -> None:
        described = class_descriptions()
        self.embedder = embedder
        self.remembered = remembered
        self.seen: OrderedDict[str, ClassVerdict] = OrderedDict()
        self.targets = embedder.embed([mask_line(text) for label in CLASSES for text in described[label]])
        self.ends = np.cumsum([len(described[label]) for label in CLASSES])[:-1]
        likeness = self.score(table("line_classes")["nothing"]["lines"]).max(axis=1)
        self.least = float(np.percentile(likeness, NOTHING_SHARE))

    def classify(self, lines: Sequence[str]) -> list[ClassVerdict]:
        """Classify raw lines, one verdict a line."""
        return self.classify_templates([mask_line(line) for line in lines])

    def classify_templates(self, templates: Sequence[str]) -> list[ClassVerdict]:
        """Classify lines that are masked already."""
        different = dict.fromkeys(templates)
        known = {template: verdict for template in different if (verdict := self.recall(template))}
        fresh = [template for template in different if template not in known]
        for start in range(0, len(fresh), BATCH):
            batch = fresh[start : start + BATCH]
            judged = dict(zip(batch, self.judge(batch), strict=True))
            known.update(judged)
            self.seen.update(judged)
        while len(self.seen) > self.remembered:
            self.seen.popitem(last=False)
        return [known[template] for template in templates]

    def classify_chunk(self, lines: Sequence[str]) -> ClassVerdict:
        """Classify a piece of a log as one: one clear error makes it an error, else its lines vote."""
        verdicts = self.classify([line for line in lines if line.strip()])
        if not verdicts:
            return NOTHING
        errors = [verdict for verdict in verdicts if verdict.label == "error"]
        gravest = max(errors, key=lambda verdict: verdict.margin, default=None)
        if gravest and (gravest.margin >= CLEAR or 2 * len(errors) > len(verdicts)):
            return gravest
        votes = Counter(verdict.label for verdict in verdicts if verdict.label != "error")
        winner = votes.most_common(1)[0][0] if votes else "error"
        return max((verdict for verdict in verdicts if verdict.label == winner), key=lambda verdict: verdict.margin)

    def recall(self, template: str) -> ClassVerdict | None:
        """Look a template up, and note that it was needed."""
        if template in self.seen:
            self.seen.move_to_end(template)
        return self.seen.get(template)

    def judge(self, templates: Sequence[str]) -> list[ClassVerdict]:
        """Give each template the class that it is most like, or other where it is like none."""
        scores = self.score(templates)
        best = np.where(scores.max(axis=1) < self.least, CLASSES.index("other"), scores.argmax(axis=1))
        return [
            ClassVerdict(CLASSES[place], (row[0], row[1], row[2], row[3]))
            for place, row in zip(best.tolist(), scores.tolist(), strict=True)
        ]

    def score(self, templates: Sequence[str]) -> NDArray[np.float32]:
        """Compare templates with every class; of a class's descriptions the nearest count most."""
        similar = self.embedder.embed(templates) @ self.targets.T
        return np.stack([soft_maximum(part) for part in np.split(similar, self.ends, axis=1)], axis=1)


def soft_maximum(similar: NDArray[np.float32]) -> NDArray[np.float32]:
    """Give the greatest similarity of each row, raised a little where many are great."""
    top = similar.max(axis=1, keepdims=True)
    mean = np.exp(SHARPNESS * (similar - top)).mean(axis=1)
    score: NDArray[np.float32] = top[:, 0] + np.log(mean) / SHARPNESS
    return score
