"""A watcher, a controller or a launcher names the machine that is at fault, and that is not its own."""

import pytest

from schedmate import diagnose

STEPS = "".join(f"step {step}: loss {3 - step / 100:.3f}, 2.1 it/s\n" for step in range(40))
LOST = (
    "ORTE has lost communication with a remote daemon.\n\n  HNP daemon   : [[48994,0],0] on node n07\n"
    "  Remote daemon: [[48994,0],1] on node n11\n\nThis is usually due to a failure of the network.\n"
)
TAKEN = (
    'INF Adding new event to the event store event={"Description":"Spot ITN received. Instance will be interrupted at '
    '2026-03-02T10:00:00Z","InstanceID":"i-0aa","NodeName":"spot-3"}\n'
)
REPORTED = (
    "[pod/nvidia-device-plugin-daemonset-x7z9q/ctr] XidCriticalError: Xid=79 on Device=GPU-0aa; "
    "marking device as unhealthy.\n"
)
EVENT = (
    "Mar  2 10:00:00 mgmt01 ipmi-sel[52]: n07: 14b | 03/02/2026 | 10:00:00 | PS1 | Power Supply AC lost | Asserted\n"
)
DEAD = (
    "WARNING worker.py:15 -- The node with node id: 8f205b12643d25d8c1ce57c4 and ip: 10.1.0.103 has been marked dead "
    "because the detector has missed too many heartbeats from it.\n"
)
DIMM = "CPU_SrcID#1_MC#1_Chan#2_DIMM#0"
BUSY = (
    "botocore.exceptions.ClientError: An error occurred (503) when calling the GetObject operation: Service Unavailable"
)
NODE_LOST = "*** JOB 865 ON n01 CANCELLED AT 2026-02-26T05:12:27 DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***"


@pytest.mark.parametrize(
    ("said", "part"),
    [
        (EVENT, "n07"),
        ("bmc-n07: 1f4 | 03/02/2026 | 10:00:00 | PS #0x63 | Power Supply AC lost | Asserted\n", "n07"),
        ("slurmctld: validate_node_specs: Node n07 unexpectedly rebooted boot_time=1 last response=1\n", "n07"),
        ("[console n07] [2271632.411698] BUG: unable to handle page fault for address: ffffb05f1074b93e\n", "n07"),
        (DEAD, "10.1.0.103"),
        (LOST, "n11"),
        (TAKEN, "spot-3"),
        (f"EDAC MC3: 1 UE memory read error on {DIMM} (channel:2 slot:0)\n", DIMM),
    ],
)
def test_the_machine_that_a_sentence_speaks_of_is_named(tmp_path, said, part):
    (tmp_path / "job.log").write_text(STEPS + said)
    assert diagnose(tmp_path / "job.log").faulty_components[:1] == (part,)


@pytest.mark.parametrize(
    "said",
    [
        "[rank3]: torch.distributed error: NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus. node n66\n",
        "node rank3: NVRM: Xid (PCI:0000:3b:00): 79, GPU has fallen off the bus.\n",
        "2031-01-01 00:00:00 ERROR rank3 reports CUDA error: uncorrectable ECC error encountered (ddp-v2.5)\n",
    ],
)
def test_a_word_with_a_figure_is_no_machine(tmp_path, said):
    (tmp_path / "job.log").write_text(STEPS + said)
    assert not {"n66", "rank3", "ddp-v2.5"} & set(diagnose(tmp_path / "job.log").faulty_components)


@pytest.mark.parametrize(
    "said",
    [
        "mlx5_core 0000:3b:00.0: Detected Tx Unit Hang (ens3f0np0)",
        "bond0: (slave ens3f0): link status definitely down, no active interface (bond0)",
        "EXT4-fs error on node sdb1: Detected aborted journal (sdb1)",
        "NVRM: Xid (PCI:0000:3b:00): 79, pid=123, name=python hostname=ubuntu2204, GPU has fallen off the bus.",
    ],
)
@pytest.mark.parametrize("host", ["n04", "gpu07.csi.example", "csi-gpu03", "dcgm-7"])
def test_what_a_kernel_says_is_of_its_own_machine(tmp_path, host, said):
    (tmp_path / "job.log").write_text(f"{STEPS}Mar 14 02:11:09 {host} kernel: {said}\n")
    assert diagnose(tmp_path / "job.log").faulty_components[:1] == (host,)


def test_a_pod_that_was_put_elsewhere_ran_there(tmp_path):
    told = [
        f"Normal Scheduled default-scheduler Successfully assigned ml/fit-worker-0 to n0{n}\n{STEPS}" for n in (1, 2)
    ]
    broken = "[pod/fit-worker-0/fit] RuntimeError: CUDA error: uncorrectable ECC error encountered\n"
    (tmp_path / "job.log").write_text("".join([*told, broken]))
    assert diagnose(tmp_path / "job.log").faulty_components == ("n02", "fit-worker-0")


def test_a_list_of_other_hosts_is_not_the_jobs(tmp_path):
    broken = "RuntimeError: CUDA error: uncorrectable ECC error encountered\n"
    (tmp_path / "job.log").write_text(f"avoiding known bad nodelist: gpu09\n{STEPS}{broken}")
    assert diagnose(tmp_path / "job.log").faulty_components == ()


def test_a_pod_is_on_the_node_that_the_scheduler_chose(tmp_path):
    assigned = "".join(
        f"Normal Scheduled pod/{pod} Successfully assigned ml/{pod} to {node}\n"
        for pod, node in (("job-worker-0", "gpu-054"), ("relay-1", "cpu-3"))
    )
    evicted = "Warning Evicted pod/job-worker-0 The node was low on resource: ephemeral-storage.\n"
    (tmp_path / "job.log").write_text(assigned + STEPS + evicted)
    assert diagnose(tmp_path / "job.log").faulty_components == ("gpu-054", "job-worker-0")


def test_who_looks_after_a_cluster_is_not_at_fault(tmp_path):
    (tmp_path / "job.log").write_text(STEPS + REPORTED)
    assert not any("plugin" in part for part in diagnose(tmp_path / "job.log").faulty_components)


def test_a_victim_of_a_store_that_does_not_answer_is_not_at_fault(tmp_path):
    path = tmp_path / "job.log"
    path.write_text(f"dgx-39:7:9 [3] NCCL INFO cudaDriverVersion 12020\n{STEPS}[rank3]: {BUSY}\n")
    assert diagnose(path).faulty_components == ()


def test_the_host_that_slurm_names_when_a_node_fails_is_only_the_jobs_first(tmp_path):
    (tmp_path / "job.log").write_text(f"SLURM_JOB_NODELIST=n[01-02]\n{STEPS}slurmstepd: error: {NODE_LOST}\n")
    assert diagnose(tmp_path / "job.log").faulty_components == ()


def test_a_container_that_was_killed_is_the_one_whose_daemon_was_lost(tmp_path):
    lost = [
        "command terminated with exit code 137",
        "-" * 74,
        "ORTE has lost communication with a remote daemon.",
        "",
        "HNP daemon : [[113,0],0] on node plums-launcher-ks1",
        "Remote daemon: [[113,0],1] on node plums-worker-0",
    ]
    (tmp_path / "job.log").write_text("\n".join(lost) + "\n")
    found = diagnose(tmp_path / "job.log")
    assert (found.root_line, found.faulty_components) == (1, ("plums-worker-0",))


def test_who_is_asked_for_is_no_part_where_the_one_that_asks_cannot_resolve_names(tmp_path):
    asked = "[c10d] The IPv4 network addresses of (plums-master-0, 29500) cannot be retrieved (gai error: -3 -"
    (tmp_path / "job.log").write_text(f"{asked} Temporary failure in name resolution).\n")
    assert diagnose(tmp_path / "job.log").faulty_components == ()


def test_a_peer_to_which_no_route_leads_is_named(tmp_path):
    said = "kiln5:240:240 [6] misc/socket.cc:533 NCCL WARN socketPollConnect: Connect to 10.0.0.9<568> returned 113"
    (tmp_path / "job.log").write_text(f"{said}(No route to host) errno 115(Operation now in progress)\n")
    assert "10.0.0.9" in diagnose(tmp_path / "job.log").faulty_components
