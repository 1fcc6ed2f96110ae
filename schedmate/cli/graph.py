"""`schedmate graph`: draw one of the graphs, with no server up."""

from pathlib import Path

import typer

from schedmate.cli.saying import say


def graph(
    name: str = typer.Argument("", metavar="NAME", help="Which graph; without it the graphs are listed."),
    output: Path | None = typer.Option(None, "--output", "-o", help="Write to FILE.mmd (mermaid) or FILE.png."),
) -> None:
    """Draw a graph as mermaid text, or as a picture.

    Examples: schedmate graph; schedmate graph classify; schedmate graph classify -o classify.png
    """
    from schedmate.graphs import BUILDERS, load_builder

    if not name:
        say("\n".join(sorted(BUILDERS)))
        return
    drawing = load_builder(name)().get_graph()
    if output is None:
        say(drawing.draw_mermaid())
        return
    from schedmate.graphs.picture import draw_png
    from schedmate.tools.output import writing

    with writing(output):
        if output.suffix == ".png":
            draw_png(drawing, output)
        else:
            output.write_text(drawing.draw_mermaid(), "utf-8")
    say(f"wrote {output}", err=True)
