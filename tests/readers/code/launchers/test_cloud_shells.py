"""Shell text that `gcloud` runs on machines that it logs in to."""

import pytest

TEXT = "cd $PLACE && export MODE=1\npython3 train.py --lr 0.25"


@pytest.mark.parametrize(
    ("login", "nodes"),
    [
        (f'gcloud compute tpus tpu-vm ssh $POD --zone=z --worker=all --command="{TEXT}"', None),
        (f'gcloud alpha compute tpus tpu-vm ssh pod --zone z --worker 0 --command "{TEXT}"', 1),
        (f'gcloud compute ssh box --command "{TEXT}" 2>&1 | tee log', 1),
        ("gcloud compute ssh box --zone z -- python train.py --lr 0.25", 1),
    ],
)
def test_the_text_is_followed(start, login, nodes):
    job = start(login)
    assert (job.is_training, job.learning_rate, job.num_nodes) == (True, 0.25, nodes)


def test_a_function_holds_it_and_a_folder_is_made_first(start):
    text = f"""
    sudo mkdir -p /logs/$NAME
    command() {{
        gcloud compute tpus tpu-vm ssh $POD --worker=all --command "{TEXT}" | tee -a /logs/$NAME/out
    }}
    command
    unset -f command
    """
    job = start("bash go.sh", {"go.sh": text})
    assert (job.is_training, job.learning_rate, job.num_nodes) == (True, 0.25, None)


@pytest.mark.parametrize(
    "command",
    ["gcloud compute ssh box", "gcloud compute scp train.py box:", "gcloud compute instances create --command x"],
)
def test_other_commands_start_nothing(start, command):
    assert start(command).is_training is None
