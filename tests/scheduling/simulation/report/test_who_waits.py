"""Who waits for whom: worked out by hand, drawn without anything from outside."""

from xml.etree import ElementTree

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from schedmate.scheduling.simulation.build_experiment import prepare
from schedmate.scheduling.simulation.options import SimulationOptions
from schedmate.scheduling.simulation.report.waiting_picture import GROUPS, gist, picture, spoken
from schedmate.scheduling.simulation.report.who_waits import flows
from schedmate.scheduling.simulation.run_policy import run
from schedmate.scheduling.simulation.timeline import Timeline

SHORT, MEDIUM, LONG, LARGE = range(4)
NOBODY = 4
HEAD = "job_id,user,vc,name,submit_s,duration_s,gpus,status\n"


def waits(tmp_path, rows, nodes="1x8", policy="fifo", vc=None):
    (tmp_path / "t.csv").write_text(HEAD + rows)
    given = {"vc": vc} if vc else {"nodes": nodes}
    experiment = prepare(SimulationOptions(trace=str(tmp_path / "t.csv"), accounting="honest", **given))
    result = run(experiment, policy, timeline=Timeline())
    found = flows(experiment, result)
    assert found.sum() == pytest.approx(result.outcomes.queue_s.sum(), rel=1e-6)
    return found


def test_a_short_job_waits_for_a_long_one_and_for_gpus_that_lie_idle(tmp_path):
    """Six of eight GPUs are held for 20,000 s; the short job wants four, and comes at once."""
    found = waits(tmp_path, "a,u,,n,0,20000,6,\nb,u,,n,0,60,4,\n")
    assert found[SHORT, LONG] == pytest.approx(20_000 * 6 / 8)
    assert found[SHORT, NOBODY] == pytest.approx(20_000 * 2 / 8)
    assert np.delete(found, SHORT, axis=0).sum() == 0


def test_who_was_stopped_waits_for_who_went_ahead(tmp_path):
    """Under srtf the medium job makes room for the short one; then it goes on."""
    found = waits(tmp_path, "a,u,,n,0,10000,8,\nb,u,,n,100,600,8,\n", policy="srtf")
    assert found[MEDIUM, SHORT] == pytest.approx(600, rel=0.02)


def test_nobody_waits_for_another_virtual_cluster(tmp_path):
    (tmp_path / "vcs.csv").write_text("vc,nodes,gpus\nv0,1,8\nv1,1,8\n")
    rows = "a,u,v0,n,0,1000,8,\nb,u,v0,n,0,100,8,\nc,u,v1,n,0,20000,8,\n"
    found = waits(tmp_path, rows, vc=tmp_path / "vcs.csv")
    assert found[SHORT, MEDIUM] == pytest.approx(1000)
    assert found[:, LONG].sum() == 0


def test_jobs_above_eight_gpus_are_large_however_short(tmp_path):
    found = waits(tmp_path, "a,u,,n,0,1000,9,\nb,u,,n,0,10,16,\n", nodes="2x8")
    assert found[LARGE, LARGE] == pytest.approx(1000 * 9 / 16)
    assert found[LARGE, NOBODY] == pytest.approx(1000 * 7 / 16)


def test_the_picture_is_whole_and_says_the_same_in_words():
    found = np.zeros((4, 5))
    found[SHORT, LONG], found[SHORT, NOBODY], found[LARGE, SHORT] = 7_200.0, 1_800.0, 1_000.0
    told = picture({"<fifo>": (found, 10), "other": (np.zeros((4, 5)), 10)})
    drawings = [part for part in told.partition("<div class='pair'>")[2].removesuffix("</div>").split("</svg>") if part]
    assert len(drawings) == 2
    first, second = (ElementTree.fromstring(part + "</svg>") for part in drawings)
    assert first.get("aria-label") == (
        "<fifo>: a job waited 17 minutes on average. "
        "Short jobs waited most: 90% of it, above all while long jobs had the GPUs."
    )
    assert [path.find("title").text for path in first.iter("path")] == [
        "short jobs waited 2 hours in all while long jobs had the GPUs",
        "short jobs waited 30 minutes in all while GPUs lay idle",
        "large jobs waited 17 minutes in all while short jobs had the GPUs",
    ]
    widths = [float(path.get("stroke-width")) for path in first.iter("path")]
    assert widths[0] / widths[1] == pytest.approx(4.0, rel=0.01)
    assert not list(second.iter("path"))
    assert "Nobody waited." in second.get("aria-label")
    assert len(GROUPS) == 4


@pytest.mark.parametrize(("time_s", "told"), [(1.0, "1 second"), (119.0, "119 seconds"), (7_300.0, "2 hours")])
def test_times_are_said_as_people_do(time_s, told):
    assert spoken(time_s) == told


def test_a_sentence_names_who_waited_most():
    found = np.zeros((4, 5))
    found[LARGE] = (0.0, 0.0, 1.0, 0.0, 3.0)
    assert gist(found) == "Large jobs waited most: 100% of it, above all while GPUs lay idle."
