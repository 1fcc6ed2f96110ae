-- A job that tells no submission came when it started, or at the latest when it ended: it is listed and pruned by that.
CREATE INDEX jobs_by_beginning ON jobs (coalesce(submit_s, start_s, end_s));
DROP INDEX jobs_by_submission
