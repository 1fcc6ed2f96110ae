"""Read what a job is from its source code, without a model and without running any of it."""
