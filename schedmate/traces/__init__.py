"""Job traces: read from the published formats, described, cut down, scaled up, or generated."""

from typing import Literal

OnBad = Literal["skip", "stop"]
"""What becomes of a row that cannot be used."""
