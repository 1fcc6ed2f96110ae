CREATE TABLE diagnoses (
    id INTEGER PRIMARY KEY,
    made_at REAL NOT NULL,
    log TEXT NOT NULL,
    root_text TEXT NOT NULL,
    failure_id TEXT,
    category TEXT NOT NULL,
    answer TEXT NOT NULL,
    UNIQUE (log, root_text)
);
CREATE INDEX diagnoses_by_time ON diagnoses (made_at)
