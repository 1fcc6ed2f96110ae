"""How durations are estimated: error measures, and the sets of jobs that they are measured on."""
