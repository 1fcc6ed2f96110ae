"""What is learned from a table, row by row or along the time."""

from schedmate.knowledge.tasks import predicts_numbers
from schedmate.readers.code.evidence.view import View
from schedmate.readers.code.fields.data.data_sources import TABLES
from schedmate.readers.code.fields.tasks.loss_tasks import losses_of
from schedmate.readers.code.fields.tasks.task_clues import keep_task
from schedmate.readers.code.fields.tasks.time_series import follows_time

OF_TEXT = frozenset(
    {"Embedding", "Tokenizer", "TextVectorization", "CountVectorizer", "TfidfVectorizer", "get_tokenizer"}
)
"""Calls that show that a table holds texts."""


def by_tables(view: View) -> None:
    """Take what is learned from a table where nothing speaks of texts; what goes row by row needs a sign of time."""
    kind = str(view.get("model_type") or "").partition(" ")[0]
    read = next((event for event in view.named(*TABLES) if event.sure), None)
    if read is None or kind not in ("mlp", "rnn", "linear"):
        return
    if any(event.short.removesuffix("()") in OF_TEXT for event in view.events):
        return
    if kind == "rnn" and not follows_time(view, read.spot.path):
        return
    told = {loss for event in view.events for loss in losses_of(event)}
    task, fine = ("time series", "time series forecasting") if kind == "rnn" else ("tabular", "regression")
    keep_task(view, task, fine if predicts_numbers(told) else "", (read.spot,))
