"""Real jobs, really broken: `python -m evals.broken_runs OUT` runs, breaks and keeps the logs of small CPU trainings.

Four to sixteen processes (gloo) train under torchrun, mpirun, a Slurm of this machine's own and Ray; an injector that
knows what it does breaks each of them, so class and cause are known and every interleaving is natural. Needs root,
`.venv-torch` (make broken-runs sets it up), Debian's openmpi-bin, slurm-wlm, munge and iproute2; what is missing is said
and left out. Only processes, mounts, cgroups and namespaces of its own are touched.
"""
