-- The most slots that a job can use, which then wants at least `slots`; 0: as many as it wants, and no others.
ALTER TABLE live_jobs ADD COLUMN most_slots INTEGER NOT NULL DEFAULT 0
