"""The paper's physical experiment on played GPUs: real Ray, real processes, real logs, sleeping in place of kernels."""
