"""`gcloud compute tpus tpu-vm ssh POD --worker=all --command "..."`: shell text that is run on Google's machines.

A slice of TPUs is one machine or many, by its size; each of them is told the same.
"""

import posixpath

from schedmate.readers.code.launchers.gcloud import taken_apart
from schedmate.readers.code.launchers.launch import InnerCommand, Launch, text_of
from schedmate.readers.code.launchers.torchx import split_at_dashes
from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.tools.repository import Repository

LOGS_IN = (
    ["compute", "ssh"],
    ["compute", "tpus", "tpu-vm", "ssh"],
    ["compute", "tpus", "queued-resources", "ssh"],
)
"""Commands that log in to a machine, or to those of a slice."""

ON_ALL = "google-slice"
"""The launcher that starts one process on each machine of a slice."""


def cloud_shell(repository: Repository, launch: Launch) -> list[InnerCommand]:
    """Give the text or the words that are run on the machine that is logged in to."""
    if launch.kind != "tool" or posixpath.basename(launch.name) != "gcloud":
        return []
    own, behind = split_at_dashes(launch.words[1:])
    plain, options = taken_apart(own)
    told = [word for word in plain if word not in ("alpha", "beta")]
    if not any(told[: len(one)] == one for one in LOGS_IN):
        return []
    text = options.get("command") or (behind[0] if len(behind) == 1 else None)
    if text is None and not behind:
        return []
    inner = text_of(text) if text is not None else InnerCommand(words=behind)
    worker = options.get("worker")
    if worker is not None and word_text(worker) != "0":
        inner.operator = (ON_ALL, launch.spot)
    return [inner]
