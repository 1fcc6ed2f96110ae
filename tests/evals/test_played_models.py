"""Players behind a real server: what an oracle says corrects, what an inventor says changes nothing."""

from argparse import ArgumentParser

from evals import played_models


def report_of(*words):
    parser = ArgumentParser()
    played_models.add_arguments(parser)
    return played_models.run(parser.parse_args(words))


def test_an_oracle_loses_nothing_and_an_inventor_is_not_believed():
    report = report_of(
        "--logs", "4", "--programs", "1", "--strange", "0", "--seed", "3", "--players", "oracle", "invents"
    )
    rows = {row["player"]: row for row in report.tables[-3].records()}
    oracle = rows["oracle"]
    assert oracle["calls"] >= oracle["asked"] > 0
    assert oracle["lost"] == 0
    assert oracle["class right, merged"] == oracle["class right, built-in"] + oracle["gained"]
    inventor = rows["invents"]
    assert inventor["class right, merged"] == inventor["class right, built-in"]
    assert inventor["asked"] == oracle["asked"]
    assert all(row["claims unfounded"] == 0 and row["lost of sure ones"] == 0 for row in rows.values())


def test_claims_of_an_oracle_fill_and_correct_and_invented_ones_change_nothing():
    report = report_of(
        "--logs", "1", "--programs", "3", "--strange", "0", "--seed", "3", "--players", "oracle", "invents", "obeys"
    )
    rows = {row["player"]: row for row in report.tables[-2].records()}
    assert rows["oracle"]["right, merged"] == rows["oracle"]["fields"] > rows["oracle"]["right, built-in"]
    for name in ("invents", "obeys"):
        assert rows[name]["right, merged"] == rows[name]["right, built-in"]
        assert rows[name]["unlabelled fields filled"] == 0


def test_patterns_of_an_oracle_read_what_was_open_and_lies_turn_nothing():
    who = ("oracle", "contradicts", "invents", "obeys")
    report = report_of("--logs", "1", "--programs", "0", "--strange", "6", "--seed", "1", "--players", *who)
    rows = {row["player"]: row for row in report.tables[-1].records()}
    assert rows["oracle"]["right, merged"] == rows["oracle"]["values"] > rows["oracle"]["right, built-in"]
    assert all(row["lost of sure ones"] == row["claims unfounded"] == 0 for row in rows.values())


def test_the_papers_agents_stand_beside_ours_and_take_the_models_word():
    who = ("--players", "oracle", "invents")
    report = report_of("--logs", "3", "--programs", "3", "--strange", "6", "--seed", "1", "--paper", *who)
    for table, right in ((-3, "class right, merged"), (-2, "right, merged"), (-1, "right, merged")):
        rows = {row["player"]: row for row in report.tables[table].records()}
        papers = {name: rows[played_models.PAPERS.format(name)] for name in ("oracle", "invents")}
        assert papers["oracle"]["asked"] > 0
        assert papers["oracle"][right] > papers["invents"][right]
        assert papers["invents"]["lost"] > rows["invents"]["lost"] == 0
