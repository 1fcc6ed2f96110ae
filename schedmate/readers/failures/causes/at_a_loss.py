"""Know what only says that a device, a file or a call failed, and not why: its driver or its disk may say that."""

import re2

from schedmate.readers.failures.case import Suspect
from schedmate.readers.failures.sightings.sighting import Sighting

AT_A_LOSS = re2.compile(
    r"\[Errno (?:5|108)\]|\bInput/output error\b|\btransport endpoint shutdown\b|synDeviceReset"
    r"|[Dd]evice (?:is )?in reset|\bGPU Hang\b|\bHW Exception by GPU\b"
    r"|[Dd]evice (?:was |is |has been )?(?:lost|removed)\b|DEVICE_(?:LOST|REMOVED)\b"
    r"|\bunspecified launch failure\b|\bNo (?:CUDA|HIP) GPUs are available\b"
    r"|\bno (?:CUDA|ROCm)-capable device is detected\b"
)
"""What is only known of a device or a file that is gone, and not why: that its driver tells."""


OF_THE_PROGRAM = frozenset(
    {"AttributeError", "KeyError", "NameError", "NotImplementedError", "TypeError", "UnboundLocalError"}
)
"""Exceptions that say what is wrong with the program that raised them: no device that failed brings them about."""
NOTHING = "NoneType"
"""What a program holds instead of what was not loaded or read, for whatever reason."""


def is_lost(item: Sighting) -> bool:
    """Tell what only knows that a device or a file is gone."""
    return AT_A_LOSS.search(item.line.text) is not None


def is_of_run_time(one: Suspect) -> bool:
    """Tell what a device's run time says of a program, for whatever reason."""
    failure = one.sighting.failure
    return failure is not None and failure.id.startswith(("gpu.", "cuda.")) and failure.category == "script"


def is_read_only(one: Suspect) -> bool:
    """Tell that a file system takes nothing more."""
    return one.sighting.failure is not None and one.sighting.failure.id == "storage.read_only"


def is_at_a_loss(one: Suspect) -> bool:
    """Tell what a program or its framework raised without knowing why."""
    failure, raised = one.sighting.failure, one.sighting.raised
    if raised is not None and raised.name in OF_THE_PROGRAM and NOTHING not in raised.message:
        return False
    return failure is not None and (
        is_of_run_time(one)
        or failure.general
        or failure.wording
        or failure.category == "framework"
        or is_lost(one.sighting)
        or is_read_only(one)
    )
