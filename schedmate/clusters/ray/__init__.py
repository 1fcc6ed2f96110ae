"""A Ray cluster behind `ManagedCluster`: see `cluster`."""
