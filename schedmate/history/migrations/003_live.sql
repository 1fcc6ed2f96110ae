-- The running loop's state. Whatever the loop is about to do stands here before it is done.
CREATE TABLE live_jobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    user TEXT NOT NULL,
    vc TEXT NOT NULL DEFAULT '',
    kind TEXT NOT NULL DEFAULT '',
    slots INTEGER NOT NULL,
    share REAL NOT NULL DEFAULT 1,
    command TEXT NOT NULL,
    workdir TEXT NOT NULL,
    environment TEXT NOT NULL,
    git_branch TEXT NOT NULL DEFAULT '',
    submit_s REAL NOT NULL,
    state TEXT NOT NULL DEFAULT 'pending'
        CHECK (state IN ('pending', 'running', 'examined', 'held', 'completed', 'failed', 'cancelled')),
    reason TEXT NOT NULL DEFAULT '',
    packable INTEGER NOT NULL DEFAULT 1,
    checkpoint TEXT NOT NULL DEFAULT '',
    preemptions INTEGER NOT NULL DEFAULT 0,
    served_s REAL NOT NULL DEFAULT 0,
    first_start_s REAL,
    end_s REAL,
    estimate TEXT NOT NULL DEFAULT '',
    workload TEXT NOT NULL DEFAULT '',
    metrics TEXT NOT NULL DEFAULT '',
    diagnosis TEXT NOT NULL DEFAULT ''
);
CREATE INDEX live_jobs_by_state ON live_jobs (state);
CREATE TABLE live_runs (
    job INTEGER NOT NULL REFERENCES live_jobs (id),
    run INTEGER NOT NULL,
    kind TEXT NOT NULL,
    parts TEXT NOT NULL,
    partner INTEGER,
    intended_s REAL NOT NULL,
    stopping TEXT NOT NULL DEFAULT '',
    began_s REAL,
    ended_s REAL,
    outcome TEXT NOT NULL DEFAULT '',
    code INTEGER,
    failure TEXT NOT NULL DEFAULT '',
    progress REAL,
    PRIMARY KEY (job, run)
);
CREATE INDEX live_runs_open ON live_runs (job) WHERE ended_s IS NULL;
CREATE TABLE live_requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    made_s REAL NOT NULL,
    kind TEXT NOT NULL,
    target INTEGER NOT NULL DEFAULT 0,
    argument TEXT NOT NULL DEFAULT '',
    done_s REAL,
    answer TEXT NOT NULL DEFAULT ''
);
CREATE INDEX live_requests_open ON live_requests (id) WHERE done_s IS NULL;
CREATE TABLE live_actions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    made_s REAL NOT NULL,
    job INTEGER NOT NULL,
    run INTEGER NOT NULL,
    place INTEGER NOT NULL,
    kind TEXT NOT NULL,
    target TEXT NOT NULL,
    reason TEXT NOT NULL,
    mode TEXT NOT NULL,
    UNIQUE (job, run, place)
);
CREATE TABLE live_action_events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    action INTEGER NOT NULL REFERENCES live_actions (id),
    at_s REAL NOT NULL,
    event TEXT NOT NULL,
    detail TEXT NOT NULL
);
CREATE INDEX live_action_events_by_action ON live_action_events (action, id);
CREATE TABLE live_nodes (
    node TEXT PRIMARY KEY,
    mark TEXT NOT NULL,
    action INTEGER NOT NULL,
    since_s REAL NOT NULL
);
CREATE TABLE live_facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TRIGGER live_actions_stay BEFORE UPDATE ON live_actions
    BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER live_actions_remain BEFORE DELETE ON live_actions
    BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER live_action_events_stay BEFORE UPDATE ON live_action_events
    BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END;
CREATE TRIGGER live_action_events_remain BEFORE DELETE ON live_action_events
    BEGIN SELECT RAISE(ABORT, 'the audit trail is append-only'); END
