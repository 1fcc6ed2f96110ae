"""What was published of four clusters' GPU jobs, as numbers; the generator is calibrated by them.

Run times, sizes and shares of ends: AcmeTrace, data/cluster_summary.csv (CC-BY-4.0, github.com/InternLM/AcmeTrace),
which tells the same of Seren, Kalos, Philly and Helios. Shares of single-GPU jobs: counted in the published Philly and
Helios Venus traces (CC-BY-4.0); for Seren and Kalos chosen within what the quantiles of AcmeTrace's job tables allow.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Marginals:
    """One cluster: seconds, GPUs, and how jobs end."""

    median_s: float
    mean_s: float
    longest_s: float
    mean_gpus: float
    most_gpus: int
    single: float
    """Share of jobs on one GPU."""
    completed: float
    cancelled: float
    failed: float
    completed_time: float
    """Share of the GPU time that completed jobs took; so for the next two."""
    cancelled_time: float
    failed_time: float


MARGINALS = {
    "helios": Marginals(206, 6651.681, 4_320_009, 3.716, 2048, 0.565, 0.624, 0.221, 0.155, 0.513, 0.394, 0.093),
    "philly": Marginals(874, 18_006.055, 4_240_676, 1.928, 128, 0.872, 0.604, 0.09, 0.305, 0.321, 0.294, 0.386),
    "seren": Marginals(122, 1414.335, 1_209_604, 5.68, 1024, 0.6, 0.497, 0.075, 0.429, 0.212, 0.664, 0.124),
    "kalos": Marginals(124, 1259.689, 625_740, 26.77, 1024, 0.7, 0.541, 0.062, 0.397, 0.313, 0.607, 0.08),
}
