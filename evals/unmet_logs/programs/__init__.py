"""Every program there is; those of HELD are left out unless they are asked for."""

from collections.abc import Callable

from evals.training_logs.run import Run, Told
from evals.unmet_logs.programs import boosting, byhand, held, language, none, pretraining, reinforcement, speech, vision

Program = Callable[[Run], Told]
MODULES = (boosting, byhand, language, none, pretraining, reinforcement, speech, vision)
PROGRAMS: list[Program] = [program for module in MODULES for program in module.PROGRAMS]
HELD: list[Program] = list(held.PROGRAMS)
