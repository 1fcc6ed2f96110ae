"""What our policy is made of; taken apart, it shows what each part is worth."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Uses:
    """What the policy makes use of; each can be left out, to see what it is worth."""

    progress: bool = True
    displacing: bool = True
    moving: bool = True
    packing: bool = True
    estimates: bool = True


ALL = Uses()
