"""A simulator as one would write it first: one tick a second, lists, no cleverness. The fast path must agree."""

THRESHOLD, ROUND = 18_000, 60


class Job:
    def __init__(self, number, submit, duration, gpus, predicted):
        self.number, self.submit, self.gpus, self.predicted = number, submit, gpus, predicted
        self.left, self.duration, self.ran, self.nodes, self.end = duration, duration, 0, None, None


def place(free, size, gpus):
    """Best fit within a node; beyond it whole nodes, and the rest on the freest node left; lowest number first."""
    order = sorted(range(len(free)), key=lambda node: free[node] if gpus <= size else -free[node])
    if gpus <= size:
        return next(([(node, gpus)] for node in order if free[node] >= gpus), None)
    whole, rest = divmod(gpus, size)
    if len(order) < whole + (rest > 0) or any(free[node] < size for node in order[:whole]):
        return None
    if rest and free[order[whole]] < rest:
        return None
    return [(node, size) for node in order[:whole]] + ([(order[whole], rest)] if rest else [])


def simulate(policy, jobs, nodes, size, until=10**6):
    """Give each job's end, by number; `jobs` are (submit, duration, gpus, predicted), sorted by submit."""
    jobs = [Job(i, *job) for i, job in enumerate(jobs)]
    free, waiting, running = [size] * nodes, [], []

    def start(job):
        job.nodes = place(free, size, job.gpus)
        for node, gpus in job.nodes or []:
            free[node] -= gpus
        if job.nodes:
            waiting.remove(job)
            running.append(job)
        return job.nodes is not None

    def stop(job):
        for node, gpus in job.nodes:
            free[node] += gpus
        job.nodes = None
        running.remove(job)

    for now in range(until):
        for job in list(running):
            job.left, job.ran = job.left - 1, job.ran + 1
            if job.left <= 0:
                stop(job)
                job.end = now
        waited = bool(waiting)
        waiting += [job for job in jobs if job.submit == now]
        if policy in {"fifo", "sjf", "qssf"}:
            waiting.sort(key=lambda job: job.number)
            if policy == "sjf":
                waiting.sort(key=lambda job: job.duration)
            if policy == "qssf":
                waiting.sort(key=lambda job: job.gpus)
                if waited:
                    waiting.sort(key=lambda job: job.predicted * job.gpus)
            for job in list(waiting):
                if not start(job):
                    break
        elif policy == "srtf" or now % ROUND == 0:
            walk = sorted(waiting, key=lambda job: job.number) + sorted(running, key=lambda job: job.number)
            if policy == "srtf":
                walk.sort(key=lambda job: job.left)
            else:
                walk.sort(key=lambda job: (job.ran * job.gpus > THRESHOLD, job.number))
            quota, chosen, victims = nodes * size, [], []
            for job in walk:
                fits = job.gpus <= quota
                quota -= job.gpus if fits else 0
                if fits and not job.nodes:
                    chosen.append(job)
                elif not fits and job.nodes:
                    victims.append(job)
            for job in victims:
                stop(job)
                waiting.append(job)
                job.left += 40 if job.gpus <= 8 else 60
            for job in chosen:
                start(job)
        if all(job.end is not None for job in jobs):
            return [job.end for job in jobs]
    raise AssertionError("the reference did not end")
