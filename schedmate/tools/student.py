"""Student's distribution, as far as intervals of few differences need it."""

STUDENT = (6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812, 1.796)
"""Within so many standard errors of the mean lies 90 %, by degrees of freedom from 1."""
