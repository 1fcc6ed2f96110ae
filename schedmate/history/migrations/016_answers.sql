-- What the loop says to a request: whether it does it, and what was asked for, beside the words.
ALTER TABLE live_requests ADD COLUMN ok INTEGER NOT NULL DEFAULT 1;
ALTER TABLE live_requests ADD COLUMN data TEXT NOT NULL DEFAULT 'null';
UPDATE live_requests SET ok = 0, answer = substr(answer, 8) WHERE answer LIKE 'error: %'
