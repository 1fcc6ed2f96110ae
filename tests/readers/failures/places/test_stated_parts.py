"""A machine's own report names the part: by its driver's words, in another row, at the prompt where it was asked."""

import pytest

from schedmate import diagnose

STEPS = "".join(f"step {step}: loss {3 - step / 100:.3f}, 2.1 it/s\n" for step in range(30))


def parts(tmp_path, text):
    (tmp_path / "job.log").write_text(text)
    return diagnose(tmp_path / "job.log").faulty_components


@pytest.mark.parametrize(
    ("said", "part"),
    [
        ("[519.2] nvme nvme7: I/O 39 QID 3 timeout, aborting\n", "nvme7"),
        ("[519.2] pcieport 0000:3a:01.0: AER: Uncorrected (Fatal) error received: 0000:3b:00.0\n", "0000:3b:00.0"),
        (
            "[519.2] WARNING: Pool 'kiln4' has encountered an uncorrectable I/O failure and has been suspended.\n",
            "kiln4",
        ),
        ("Detected clocks event due to thermal violation in GPU 6. Verify that the cooling works.\n", "GPU 6"),
        (
            "LustreError: 11-0: kiln-OST0012-osc-ffff: operation ost_write to node 10.0.0.7@tcp failed: rc = -107\n",
            "kiln-OST0012",
        ),
        (
            "7a | 03/01/2031 | 12:00:01 | Temperature Inlet_T | Upper Critical going high | Asserted | Reading 47\n",
            "Inlet_T",
        ),
        (
            "Warning  FailedCreatePodSandBox  1m (x9 over 6m)  kubelet, kiln-east  Failed create pod sandbox: "
            'rpc error: NetworkPlugin cni failed to set up pod "dns-1" network: no nodename\n',
            "kiln-east",
        ),
        ("02/23/2031 00:01:32  S    unable to run job, send to MOM '10.0.0.7' failed\n", "10.0.0.7"),
    ],
)
def test_the_words_of_its_driver_name_the_part(tmp_path, said, part):
    assert part in parts(tmp_path, STEPS + said)


def test_another_row_of_the_report_names_the_part(tmp_path):
    report = "Hardware event. This is not a software error.\nMCE 0\nCPU 19 BANK 5\nMISC 100\nUncorrected error\n"
    assert parts(tmp_path, report) == ("CPU 19",)
    assert parts(tmp_path, report + report.replace("19", "20")) == ("CPU 19",)
    drive = "Device Type : SAS\nDevice Location : Enclosure#3 SLOT 11\nModel Name : ACME\n"
    assert parts(tmp_path, f"{drive}Device State : FAILED\n") == ("Enclosure#3 SLOT 11",)
    assert parts(tmp_path, f"{drive}Device Type : SAS\nDevice State : FAILED\n") == ()


def test_a_prompt_names_the_machine_that_was_asked_itself(tmp_path):
    down = "pbs_mom: another mom running\npbs_mom startup failed, exit 1 aborting.\n"
    assert parts(tmp_path, f"[root@kiln2 ~]# /etc/init.d/pbs restart\nRestarting PBS\n{down}") == ("kiln2",)
    assert parts(tmp_path, f"[root@kiln2 ~]# ssh kiln9 service pbs start\nRestarting PBS\n{down}") == ()
    assert parts(tmp_path, f"[root@kiln2 ~]# cat kiln9.log\nRestarting PBS\n{down}") == ()


def test_the_service_is_named_below_what_could_not_be_done(tmp_path):
    failed = (
        "2031/09/10 09:51:13.183543 juicefs[26] <ERROR>: Can't list s3://kiln/: RequestError: send request failed\n"
        'caused by: Get "https://s3.kiln.example/kiln?marker=": net/http: timeout awaiting response headers\n'
    )
    assert parts(tmp_path, failed) == ("s3.kiln.example",)
