"""Words that entries share with what is harmless: who informs, did something else instead, or got by, ends no job."""

import pytest

from schedmate import diagnose

STEPS = [f"[rank0]: iter {step}/9000 loss {3 - step / 100:.3f}" for step in range(1, 80)]
HARMLESS = [
    ["INFO Agent was stopped at the edge of its maze, 12 coins"],
    ["INFO The agent has not connected both rooms yet"],
    ["INFO Timeout has been exceeded by 3 s for episode 9, reset"],
    ["INFO kv-cache is larger than one page of 2 MiB"],
    ["a KV cache for 65536 tokens does not fit, using 32768", "ready to serve"],
    ["the kv cache is too large for one board: spilling 3 GiB of it to main memory", "ready to serve"],
    ["All jobs of the sweep ended, the table is in sweep.csv"],
    ["scorer: wrong answers: 41 of 700"],
    ["scorer: 9 different outputs for one prompt"],
    ["heatmon: GPU 2 at 91C, 410 W"],
    ["silent data corruption check on rank 3 passed"],
    ["no silent data corruption detected on rank 3"],
    ["GPU 0 HBM: 0 double-bit errors, 2 corrected"],
    ["INFO HBM ECC: corrected 3, uncorrected 0"],
    ["fitter[311]: layer7 has stalled"],
    ["fitter[311]: rank3 crashed"],
    ["cannot continue with the cached file, using the default"],
    ["tracker refused to take the upload, trying again in 5 s"],
    ["INFO manifest not found, a new one is written"],
    ["RESPONSE 404 for a file that may be missing"],
    ["the reader met an invalid reference format in 3 citations"],
    ["summary of run 7: exit signals: None"],
    ["gpu07:31:58 [6] 2031-03-08 08:00:07 NCCL WARN Call to ibv_reg_x failed with error 95, using nv_peermem"],
    ["gpu07:31:58 [1] NCCL INFO dlvsym failed on mlx5dv_x - libmlx5.so: undefined symbol: mlx5dv_x, version MLX5_9.9"],
    ["/opt/env/lib/stats/fit.py:60: FitWarning: look at the values", '  warnings.warn("The fit failed to converge")'],
    ["NoSuchKey: nothing is cached yet, 9 features were computed"],
    ["ICI error counters: 0"],
    ["vocabd: token 7 is missing from the vocabulary"],
    ["prompt:Write a play in which the king has killed his cook", "decode: 41.2 s, 7.9 tokens/s"],
    ["user prompt 7: the server crashed and all was lost, what do I tell my boss?", "decode: 41.2 s, 7.9 tokens/s"],
    ["Jan 09 02:11:40 n17 kernel: ib2: Budget exhausted after napi rescheduled"],
    [
        "[    1.702211] ata3: SATA link down (SStatus 0 SControl 300)",
        "[    1.716572] ata4: SATA link down (SStatus 4 SControl 300)",
        "[    2.101442] usb usb3: We don't know the algorithms for LPM for this host, disabling LPM.",
        "[    2.391221] Write protecting the kernel read-only data: 20480k",
        "[  641.200121] docker0: port 1(veth12ab) entered forwarding state",
    ],
    ["9m  Normal  TaintManagerEviction  pod/fit-0  Cancelling deletion of Pod lab/fit-0"],
    ['time="2031-03-08T08:00:07Z" level=warning msg="unable to push telemetry" err="lookup gate.lab: no such host"'],
    ["Transient error StatusCode.UNAVAILABLE encountered while exporting traces to collect.lab:4317, retrying in 2s."],
    [
        "Jan 09 02:11:40 n17 kubelet[9]: eviction manager: attempting to reclaim inodes",
        "Jan 09 02:11:42 n17 kubelet[9]: eviction manager: able to reduce inodes pressure without evicting pods.",
    ],
]
GRAVE = {
    "Error response from daemon: manifest for reg.acme.io/fit:v3 not found: manifest unknown": "scheduler.image_name",
    "RESPONSE 404: The specified container does not exist.": "hub.gcs_azure_denied",
    "Error using fit_all (line 14)": "languages.matlab_error",
    "NCCL WARN socket of peer 10.0.0.9 (closed): Connection reset by peer": "network.connection_reset",
    "OSError: [Errno 28] No space left on device (done)": "storage.disk_full",
    "9m  Normal  TaintManagerEviction  pod/fit-0  Marking for deletion Pod lab/fit-0": "scheduler.k8s_node_lost",
    'time="2031-03-08T08:00:07Z" level=error msg="unable to reach peer" err="lookup fit-0: no such host"': (
        "network.dns_failure"
    ),
    "job 81 preempted for a job of another user": "scheduler.slurm_preempted",
    "bootd[7]: n14 has stalled": "machines.host_by_name",
    "GPU 0 HBM: 2 double-bit errors": "gpu.memory_by_words",
    "guard: attempt 2 of 3 failed, the run cannot continue": "script.program_gave_up",
    "heatmon: GPU 2 reached 96 C": "site.accelerator_fault",
    "heatmon: GPU 2 gives different answers than its neighbours": "site.accelerator_computes_wrong",
    "silent data corruption detected on rank 3": "gpu.silent_corruption",
    "ICI link 2 is down": "accelerator.tpu_links",
    "vaultd: the token of the job has expired": "machines.service",
    "Agent was lost": "launchers.runner_lost",
    "##[error]Error: Agent was disconnected.": "launchers.runner_lost",
    "The agent lab-4 did not connect within the allotted time": "launchers.runner_lost",
    "Timeout has been exceeded": "launchers.runner_time_limit",
    "E kv cache of 40 GiB does not fit into what is free": "serving.cache_does_not_fit",
    "INFO worker: cannot start, KV cache does not fit": "serving.cache_does_not_fit",
    "[90211.702211] ata3: SATA link down (SStatus 1 SControl 310)": "machines.network",
    "kubelet[9]: eviction manager: attempting to reclaim memory": "scheduler.k8s_reclaims",
}


def read(tmp_path, lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


@pytest.mark.parametrize("lines", HARMLESS)
def test_harmless(tmp_path, lines):
    assert read(tmp_path, [*STEPS, *lines]).category == "none"


@pytest.mark.parametrize(("line", "told"), GRAVE.items())
def test_the_same_words_as_statements(tmp_path, line, told):
    assert read(tmp_path, [*STEPS, line]).failure_id == told


def test_who_could_not_reclaim_enough_evicts(tmp_path):
    tried = "Jan 09 02:11:40 n17 kubelet[9]: eviction manager: attempting to reclaim memory"
    gone = "Jan 09 02:11:44 n17 kubelet[9]: eviction manager: must evict pod(s) to reclaim memory"
    found = read(tmp_path, [*STEPS, tried, gone])
    assert (found.failure_id, found.root_line) == ("scheduler.k8s_evicted", len(STEPS) + 1)


@pytest.mark.parametrize(
    ("line", "category"),
    [
        ('sample title: "GPU 3 has fallen off the bus"', "none"),
        ('FATAL label file "train.json" not found', "script"),
        ("prediction failed: `RuntimeError: CUDA out of memory`", "framework"),
    ],
)
def test_what_is_quoted_as_data_happened_to_nobody(tmp_path, line, category):
    assert read(tmp_path, [*STEPS, line]).category == category


def test_a_benchmark_whose_values_were_right_ran_to_its_end(tmp_path):
    warned = "gpu07:31:58 [6] NCCL WARN Call to ibv_modify_qp failed with error Connection timed out"
    table = ["        8      2   float   sum    -1    28.0    0.00    0.00      0", "# Out of bounds values : {}"]
    right, wrong = ([warned, table[0], table[1].format(told)] for told in ("0 OK", "7 FAILED"))
    assert read(tmp_path, right).category == "none"
    assert read(tmp_path, wrong).category == "infrastructure"


def test_a_benchmark_says_nothing_of_another_that_failed_before(tmp_path):
    begun = "# nccl-tests version 2.17.6 nccl-headers=22807 nccl-library=22807"
    failed = "node7: Test NCCL failure common.cu:401 'remote process exited or there was a network error / '"
    table = "   8    2   float   sum    -1    28.0    0.00    0.00      0   27.1    0.00    0.00      0"
    sweep = [begun, failed, begun, table, "# Out of bounds values : 0 OK", "# Avg bus bandwidth    : 5.98"]
    assert read(tmp_path, sweep).root_line == 2


def test_a_level_alone_is_no_failure_of_what_is_done(tmp_path):
    said = ["INFO:lab.fit:Loaded the words", "CRITICAL:lab.fit:Starting to fit", "INFO:lab.fit:Finetuning done!"]
    assert read(tmp_path, said).category == "none"
