"""What click's groups hand on to the commands below them."""

GROUP = """
import click
x = None
@click.group()
@click.option("--seed", type=int, default=1)
@click.pass_context
def cli(context, seed):
    context.ensure_object(dict)
    context.obj["seed"] = seed
@cli.command()
@click.option("--rate", default=0.5)
@click.{passes}
def fit({first}, rate):
    global x
    x = [{seed}, rate]
cli({given})
"""


def test_a_command_finds_what_its_group_has_put_down(outcome):
    code = GROUP.format(passes="pass_context", first="holder", seed="holder.obj['seed']", given="obj={}")
    assert outcome(code, "--seed 4 fit --rate 0.25") == [4, 0.25]
    code = GROUP.format(passes="pass_obj", first="known", seed="known['seed']", given="")
    assert outcome(code, "--seed 4 fit --rate 0.25") == [4, 0.25]


def test_a_command_calls_another(outcome):
    code = """
        import click
        @click.command()
        @click.option("--rate", default=0.5)
        @click.option("--rounds", default=3)
        @click.pass_context
        def fit(ctx, rate, rounds):
            global x
            x = [rate, rounds]
        @click.command()
        @click.option("--rounds", default=7)
        @click.pass_context
        def run(ctx, rounds):
            ctx.{called}
        run()
    """
    assert outcome(code.format(called="invoke(fit, rate=0.25)")) == [0.25, 3]
    assert outcome(code.format(called="invoke(fit)")) == [0.5, 3]
    assert outcome(code.format(called="forward(fit, rate=0.25)")) == [0.25, 7]


def test_cyclopts_only_command_has_a_name(outcome):
    code = """
        import cyclopts
        app = cyclopts.App()
        @app.{kind}
        def fit(rounds: int = 5, rate: float = 0.5):
            global x
            x = [rounds, rate]
        app()
    """
    assert outcome(code.format(kind="command"), "fit --rate 0.25") == [5, 0.25]
    assert outcome(code.format(kind="command"), "fit 3") == [3, 0.5]
    assert outcome(code.format(kind="default"), "3 --rate 0.25") == [3, 0.25]


def test_typers_only_command_needs_a_name_below_another_one(outcome):
    code = """
        import typer
        app, models = typer.Typer(), typer.Typer()
        app.add_typer(models, name="models")
        @models.command("fit")
        def fit(rate: float = 0.5):
            global x
            x = rate
        app()
    """
    assert outcome(code, "models fit --rate 0.25") == 0.25
