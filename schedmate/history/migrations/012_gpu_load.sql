-- How busy a run kept its GPUs over time, as JSON: moments and shares of 1; empty where nobody measured it.
ALTER TABLE live_runs ADD COLUMN gpu_load TEXT NOT NULL DEFAULT ''
