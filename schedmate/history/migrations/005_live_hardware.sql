-- What a running job takes of its GPUs, measured while it has them to itself.
ALTER TABLE live_jobs ADD COLUMN hardware TEXT NOT NULL DEFAULT '';
