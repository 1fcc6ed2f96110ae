CREATE TABLE workloads (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    digest INTEGER NOT NULL UNIQUE,
    facts TEXT NOT NULL
);
CREATE TABLE jobs (
    id INTEGER PRIMARY KEY,
    source TEXT NOT NULL,
    job_id TEXT NOT NULL,
    user TEXT NOT NULL,
    name TEXT NOT NULL,
    command TEXT NOT NULL,
    workdir TEXT NOT NULL,
    branch TEXT NOT NULL,
    vc TEXT NOT NULL,
    gpus REAL NOT NULL,
    nodes INTEGER,
    status TEXT NOT NULL,
    submit_s REAL,
    start_s REAL,
    end_s REAL,
    ran_s REAL,
    duration_s REAL,
    known_s REAL,
    run_key INTEGER,
    workload_id INTEGER REFERENCES workloads (id),
    extra TEXT,
    evidence TEXT,
    metrics TEXT,
    hardware TEXT,
    diagnosis TEXT,
    notes TEXT,
    UNIQUE (job_id, source)
);
CREATE INDEX jobs_by_run ON jobs (run_key, known_s) WHERE run_key IS NOT NULL;
CREATE INDEX jobs_by_workload ON jobs (workload_id, known_s) WHERE workload_id IS NOT NULL;
CREATE INDEX jobs_by_user ON jobs (user, known_s);
CREATE INDEX jobs_by_submission ON jobs (submit_s);
CREATE INDEX jobs_by_end ON jobs (known_s)
