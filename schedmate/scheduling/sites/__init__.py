"""What a site allows: accounts, limits, quotas, shares, and Slurm's priorities."""
