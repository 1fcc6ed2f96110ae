"""How similarity is scored: ranking metrics, jobs to rank, and the calibration."""
