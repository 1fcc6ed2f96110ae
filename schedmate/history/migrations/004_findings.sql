-- Which nodes a step's end concerns: a check's findings, and what an isolation really took out, must outlive a kill.
ALTER TABLE live_action_events ADD COLUMN nodes TEXT NOT NULL DEFAULT '[]';
ALTER TABLE live_action_events ADD COLUMN cleared TEXT NOT NULL DEFAULT '[]';
