"""Read how a training job is getting on out of its log: known formats as data, and a general reader for all others."""
