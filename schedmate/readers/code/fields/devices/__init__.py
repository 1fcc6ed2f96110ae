"""On what it computes: devices, processes, strategy, precision, accelerator."""
