-- The last entry of the trail from before there were digests: a later one without has lost its own.
INSERT INTO live_facts SELECT 'unchained', coalesce(max(id), 0) FROM live_action_events WHERE digest = ''
    AND id < coalesce((SELECT min(id) FROM live_action_events WHERE digest <> ''), 9223372036854775807)
