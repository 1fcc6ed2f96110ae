"""The few statistics that evals share."""

from math import sqrt


def wilson(hits: int, total: int) -> str:
    """Write a share with its 95 % Wilson interval."""
    if not total:
        return "0/0"
    z = 1.96
    share = hits / total
    middle = (share + z * z / (2 * total)) / (1 + z * z / total)
    half = z * sqrt(share * (1 - share) / total + z * z / (4 * total * total)) / (1 + z * z / total)
    return f"{hits}/{total} = {share:.3f} [{max(0.0, middle - half):.2f}, {min(1.0, middle + half):.2f}]"


def f1_of(both: int, said: int, true: int) -> float:
    """Give F1 from the counts of right, said and true."""
    return 2 * both / (said + true) if said + true else 0.0
