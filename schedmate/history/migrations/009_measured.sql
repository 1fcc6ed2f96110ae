-- How long a run took by a clock that nobody sets; wall times may jump, or tell when a loop came back to book the end.
ALTER TABLE live_runs ADD COLUMN ran_s REAL;
-- Who else met the same fault is asked before a node is taken out.
CREATE INDEX live_runs_by_failure ON live_runs (failure, ended_s) WHERE failure != ''
