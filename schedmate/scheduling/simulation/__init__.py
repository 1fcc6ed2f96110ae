"""The verb `simulate`: a trace, a simulated cluster, policies, and what became of the jobs."""
