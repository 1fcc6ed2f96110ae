"""Why a job died, read from its logs without a model.

A log goes through the folders in this order; each imports only from those before it (`test_floors.py` keeps that):

`job_logs`   which files are the logs of one job
`lines`      what a single line is: prefixes, steps, tracebacks, the words by which runs begin and end
`sightings`  which lines are worth weighing, which entry of the catalogue knows them, how loud they speak
`runs`       where one run ends and the next begins
`reading`    all of that put together: one log, read
`hosts`      what a log tells of machines: who ran where, and of whom a sentence speaks
`case`       the nouns of what follows: what is known of a job, what became of a line, what counts for it, a rule
`survival`   what the job got over, and what was printed late
`causes`     each sighting weighed, cause or effect, and the first cause chosen
`places`     which rank, host, GPU or port it was
`answer`     class, confidence, quotes; how the job ended
`advice`     what to do about it, and a person's own word on it

`exit_codes` stands beside them: what 137, 0:9 or TIMEOUT means, wherever one is told.
"""
