"""What a reading shows of training and of processes: facts that adapters note, and observers of the followed code."""
