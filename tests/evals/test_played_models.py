"""Players behind a real server: what an oracle says corrects, what an inventor says changes nothing."""

from argparse import ArgumentParser

from evals import played_models


def report_of(*words):
    parser = ArgumentParser()
    played_models.add_arguments(parser)
    return played_models.run(parser.parse_args(words))


def test_an_oracle_loses_nothing_and_an_inventor_is_not_believed():
    report = report_of("--logs", "5", "--seed", "3", "--players", "oracle", "invents")
    rows = {row["player"]: row for row in report.tables[-1].records()}
    oracle = rows["oracle"]
    assert oracle["calls"] >= oracle["asked"] > 0
    assert oracle["lost"] == 0
    assert oracle["class right, merged"] == oracle["class right, built-in"] + oracle["gained"]
    inventor = rows["invents"]
    assert inventor["class right, merged"] == inventor["class right, built-in"]
    assert inventor["asked"] == oracle["asked"]
    assert all(row["claims unfounded"] == 0 and row["lost of sure ones"] == 0 for row in rows.values())
