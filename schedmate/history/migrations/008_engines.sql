-- What an engine that names jobs itself calls them, and where it lets runs write; empty: as this machine does it.
ALTER TABLE live_jobs ADD COLUMN engine_id TEXT NOT NULL DEFAULT '';
CREATE UNIQUE INDEX live_jobs_by_engine_id ON live_jobs (engine_id) WHERE engine_id != '';
ALTER TABLE live_runs ADD COLUMN log TEXT NOT NULL DEFAULT '';
ALTER TABLE live_runs ADD COLUMN reason TEXT NOT NULL DEFAULT ''
