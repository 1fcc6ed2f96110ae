"""Which steps there are; a new one is a file with a class and one line here."""

from schedmate.scheduling.recovery.health_check import HealthCheck
from schedmate.scheduling.recovery.hold import Hold
from schedmate.scheduling.recovery.isolate import Isolate
from schedmate.scheduling.recovery.nccl_test import NcclTest
from schedmate.scheduling.recovery.nothing import Nothing
from schedmate.scheduling.recovery.notify import Notify
from schedmate.scheduling.recovery.replace import Replace
from schedmate.scheduling.recovery.restart import Requeue, Restart
from schedmate.scheduling.recovery.smaller_batch import SmallerBatch
from schedmate.scheduling.recovery.steps import SlowStep, Step

_SLOW: tuple[SlowStep, ...] = (HealthCheck(), NcclTest(), Notify())
_ALL: tuple[Step, ...] = (
    Isolate(),
    Replace(),
    Restart(),
    Requeue(),
    Hold(),
    SmallerBatch(),
    Nothing(),
    *_SLOW,
)

SLOW: dict[str, SlowStep] = {step.kind: step for step in _SLOW}
STEPS: dict[str, Step] = {step.kind: step for step in _ALL}
