"""The report as one HTML file that needs nothing beside it: no script, no font, no address."""

from importlib.resources import files

from schedmate.counts import how_many
from schedmate.reports import sections
from schedmate.reports.charts import clean
from schedmate.reports.findings import Report


def page(report: Report) -> str:
    """Write the page: what it cost first, then why, where, who, and what might have been."""
    inner = "".join(section(report) for section in sections.ALL)
    style = files("schedmate.reports").joinpath("page.css").read_text("utf-8")
    span = f"{report.since} to {report.until}, {how_many(round(report.days), 'day')}"
    return (
        "<!doctype html><html lang='en'><meta charset='utf-8'><meta name='viewport' "
        "content='width=device-width,initial-scale=1'><meta http-equiv='Content-Security-Policy' "
        f"content=\"default-src 'none'; style-src 'unsafe-inline'\"><title>Report: {clean(span)}</title>"
        f"<style>{style}</style><h1>What the jobs' records show</h1><p class='dim'>{clean(span)}; "
        f"{clean(', '.join(report.sources))}</p>{inner}</html>\n"
    )
