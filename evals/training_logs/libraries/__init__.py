"""Every format there is, by name."""

from collections.abc import Callable

from evals.training_logs.libraries import bars, epochs, large, nothing, plain, records, reinforcement, summaries
from evals.training_logs.run import Run, Told

Library = Callable[[Run], Told]
MODULES = (bars, epochs, large, nothing, plain, records, reinforcement, summaries)
LIBRARIES: list[Library] = [library for module in MODULES for library in module.LIBRARIES]
