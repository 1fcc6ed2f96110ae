"""Why a job died, read from its log without a model: candidates, tracebacks, progress, attempts, roles, plan."""
