-- Who handed a job in, and whose word stands behind a request or an entry of the trail, as the operating system knows them.
ALTER TABLE live_jobs ADD COLUMN account TEXT NOT NULL DEFAULT '';
-- As whom a job runs (uid, gid, umask, limits), as JSON; empty: as the loop itself.
ALTER TABLE live_jobs ADD COLUMN runs_as TEXT NOT NULL DEFAULT '';
ALTER TABLE live_requests ADD COLUMN actor TEXT NOT NULL DEFAULT '';
ALTER TABLE live_action_events ADD COLUMN actor TEXT NOT NULL DEFAULT ''
