-- The slots that a run of an elastic job has; NULL: as many as its job asks for.
ALTER TABLE live_runs ADD COLUMN slots INTEGER
