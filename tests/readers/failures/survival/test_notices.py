"""A launcher's notice of what it does without, wrapped between rulers, ends nothing behind which the program speaks."""

from schedmate import diagnose

RULER = "-" * 74
NO_PORT = (
    "WARNING: There is at least one OpenFabrics device found,",
    "but there are no active ports detected (or Open MPI was unable to use",
    "them).  Check your cables.  The openib BTL will be",
    "ignored for this job.",
    "",
    "  Local host: n31",
)
SPEAKS = [f"grid part {part} of 4 is set up on its own cores" for part in range(1, 5)]


def read(tmp_path, *lines):
    (tmp_path / "job.log").write_text("\n".join(lines) + "\n")
    return diagnose(tmp_path / "job.log")


def test_what_is_ignored_for_this_job_ended_nothing(tmp_path):
    assert read(tmp_path, RULER, *NO_PORT, RULER, *SPEAKS).category == "none"


def test_a_notice_behind_which_nobody_speaks_is_asked(tmp_path):
    assert read(tmp_path, RULER, *NO_PORT, RULER).subcategory == "network"
    assert read(tmp_path, RULER, *NO_PORT[:2], *NO_PORT[4:], RULER, *SPEAKS).subcategory == "network"


def test_ucx_without_a_device_takes_another_way(tmp_path):
    none_here = [
        "[1760000000.24] [n31:41:0]      rdmacm_cm.c:638  UCX  ERROR rdma_create_event_channel failed: No such device",
        "[n31:00041] pml_ucx.c:273  Error: Failed to create UCP worker",
    ]
    assert read(tmp_path, *none_here, *SPEAKS[:2]).category == "none"
    died = read(tmp_path, *none_here, "MPI_ABORT was invoked on rank 2 in communicator MPI_COMM_WORLD")
    assert died.category != "none"
