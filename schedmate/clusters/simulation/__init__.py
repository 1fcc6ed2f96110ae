"""A cluster that exists only as numbers, and what is true of its jobs and nodes though no scheduler may know it."""
