-- What a job may take beside its slots, by its owner's word; 0: as much as there is.
ALTER TABLE live_jobs ADD COLUMN memory_gib REAL NOT NULL DEFAULT 0;
ALTER TABLE live_jobs ADD COLUMN cpus INTEGER NOT NULL DEFAULT 0;
-- Each entry of the trail bears a digest of itself and of all before it, so that none is changed or left out unseen.
ALTER TABLE live_action_events ADD COLUMN digest TEXT NOT NULL DEFAULT ''
