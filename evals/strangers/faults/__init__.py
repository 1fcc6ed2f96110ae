"""All faults that a stranger's log may tell of."""

from evals.strangers.faults import machines, programs, sites

FAULTS = machines.FAULTS + sites.FAULTS + programs.FAULTS
