"""What is drawn of a job: whether its like is found, and whether something else is taken for it."""

from schedmate.clusters.simulation.likeness import Matching

KNOWN = ["a", "b", "c"]


def said(matching, kind="a", known=KNOWN):
    return [matching.like(number, kind, known) for number in range(4000)]


def test_the_like_is_found_as_often_as_was_said():
    found = said(Matching(hit=0.8))
    assert 0.77 < found.count("a") / len(found) < 0.83
    assert set(found) == {"a", None}
    assert found == said(Matching(hit=0.8)), "a job's lot falls the same whenever one asks"
    assert set(said(Matching(hit=1.0))) == {"a"}


def test_what_is_not_known_is_not_found():
    assert set(said(Matching(hit=1.0), kind="d")) == {None}
    assert set(said(Matching(hit=1.0, wrong=1.0), known=["a"])) == {None}
    assert set(said(Matching(), known=[])) == {None}


def test_a_mistake_is_never_the_job_s_own_kind():
    found = said(Matching(hit=1.0, wrong=0.1))
    mistaken = [kind for kind in found if kind != "a"]
    assert 0.07 < len(mistaken) / len(found) < 0.13
    assert set(mistaken) == {"b", "c"}
