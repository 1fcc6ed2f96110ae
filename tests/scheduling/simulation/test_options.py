"""What may be asked of a simulation from Python: the words and the limits are those of the command line."""

import pytest

import schedmate
from schedmate.errors import InputError
from schedmate.scheduling.simulation.check_options import check
from schedmate.scheduling.simulation.options import SimulationOptions, declared


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"ties": "coin"}, "--ties 'coin' is unknown"),
        ({"on_node_fail": "weep"}, "--on-node-fail 'weep' is unknown"),
        ({"spares": -1}, "--spares -1 lies outside its limits"),
        ({"evict_below": 2.0}, "--evict-below 2.0 lies outside its limits"),
        ({"repair_h": float("inf")}, "--repair-h inf is endless"),
        ({"gpu_mtbf_h": 0.5}, "--gpu-mtbf-h below 1"),
        ({"sharing": "no"}, "--sharing is 'no', a str"),
        ({"seed": 1.5}, "--seed is 1.5, a float"),
        ({"repeat": True}, "--repeat is True, a bool"),
        ({"policies": "fifo,sjf"}, "--policy is 'fifo,sjf', a str"),
        ({"trace": None}, "--trace is None, a NoneType"),
    ],
)
def test_what_the_command_line_refuses_is_refused(given, told):
    with pytest.raises(InputError, match=told):
        check(SimulationOptions(**given))


def test_a_path_may_be_named_by_a_text(tmp_path):
    rows = "job_id,user,vc,name,submit_s,duration_s,gpus,status,extra\n0,u,v,n,0,200,1,COMPLETED,\n"
    (tmp_path / "jobs.csv").write_text(rows)
    told = tmp_path / "told.csv"
    options = SimulationOptions(repair_h=1, jobs_out=str(told), policies=("fifo",), nodes="1x4", workers=1)
    schedmate.simulate(tmp_path / "jobs.csv", options=options)
    assert told.read_text().count("\n") == 2


def test_no_option_is_dropped_for_its_name():
    with pytest.raises(TypeError, match="node_mtbf"):
        SimulationOptions(node_mtbf=4.0)


def test_the_verb_takes_all_options_and_what_is_named_beside_them_counts_first(tmp_path):
    rows = "".join(f"{i},u,v,n,{i * 10},{200 + i},{1 + i % 4},COMPLETED,\n" for i in range(40))
    (tmp_path / "jobs.csv").write_text("job_id,user,vc,name,submit_s,duration_s,gpus,status,extra\n" + rows)
    asked = SimulationOptions(nodes="9x8", policies=("fifo", "srtf"), repeat=2, workers=1)
    both = schedmate.simulate(tmp_path / "jobs.csv", nodes="1x4", options=asked)
    one = schedmate.simulate(tmp_path / "jobs.csv", nodes="1x4", policies=("srtf",), options=asked)
    assert [(told.policy, told.seed) for told in both] == [("fifo", 0), ("fifo", 1), ("srtf", 0), ("srtf", 1)]
    assert [told.avg_jct_s for told in one] == [told.avg_jct_s for told in both[2:]]


def test_each_option_says_what_it_is():
    assert all(one.told.words.endswith(".") for one in declared())
