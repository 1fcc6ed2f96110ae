"""Follow Python source without running it: values that are known are carried on, the rest is unknown and stays so."""
