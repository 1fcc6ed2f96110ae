"""The report of a simulation: one picture, or one HTML file that needs nothing beside it."""

from pathlib import Path
from typing import TYPE_CHECKING

from schedmate.scheduling.simulation.report.page import page
from schedmate.scheduling.simulation.report.sheet import sheet
from schedmate.scheduling.simulation.report.tables import name_of
from schedmate.tools.output import writing

if TYPE_CHECKING:
    from schedmate.scheduling.simulation.simulated import Simulation


def save(simulation: "Simulation", path: Path) -> None:
    """Write a picture, or a page with tables and pictures, by the file's ending."""
    results = {name_of(simulation, *key): result for key, result in simulation.results.items()}
    with writing(path):
        if path.suffix == ".html":
            path.write_text(page(simulation, results), "utf-8")
        else:
            sheet(simulation, results).savefig(path)
