"""This machine as a cluster: the jobs are processes of ours, the nodes names for shares of its GPUs."""
