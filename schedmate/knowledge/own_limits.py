"""What a job was given and ran into: no part of the machine is at fault, and no other node gives more."""

import re2

BY_WORDS = "limits.by_words"
OF_MEMORY = re2.compile(r"(?i)\b(?:memory|mem|RAM|RSS)\b")
OF_LIMIT = re2.compile(r"(?i)\b(?:limit(?:s|ed)?|quotas?|cgroup|requested|allowance|allotted|granted|budget|cap)\b")

OF_ENDS = frozenset({"exit.memory_limit", "exit.slurm_memory"})
"""Ends that say so without a line of the log; lines that do are known by the entries of `failures/limits.toml`."""
OF_FILES = frozenset({"storage.quota"})
"""Limits of what its owner may keep on a file system: that is well, and room is made by deleting."""


def is_own_limit(failure_id: str | None) -> bool:
    """Tell a limit of the job's own from what failed."""
    return failure_id is not None and (failure_id.startswith("limits.") or failure_id in OF_ENDS | OF_FILES)


def blames_machine(category: str, failure_id: str | None) -> bool:
    """Tell a failure that speaks against a part of the machine: any of the infrastructure but the job's own limits."""
    return category == "infrastructure" and not is_own_limit(failure_id)


def speaks_of_limit(text: str) -> bool:
    """Tell words of a limit of memory: enough where a reader has said that memory ended the job, never alone."""
    return bool(OF_MEMORY.search(text) and OF_LIMIT.search(text))
