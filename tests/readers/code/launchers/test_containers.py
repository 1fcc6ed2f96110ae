"""Services of Docker Compose, and images that the repository's Dockerfile makes."""

import pytest

COMPOSE = """
services:
  store:
    image: redis
  fit:
    build: .
    environment:
      - RATE=0.5
    command: {command}
    deploy:
      resources:
        reservations:
          devices:
            - driver: nvidia
              count: 1
"""
WAYS = (
    "python train.py --lr 0.5 --batch 4",
    '["python", "train.py", "--lr", "0.5", "--batch", "4"]',
    'bash -c "python train.py --lr $RATE --batch 4"',
)


@pytest.mark.parametrize("way", WAYS)
def test_a_service_starts_its_command(start, way):
    for command in ("docker compose run --rm fit", "docker-compose up fit", "docker compose -f compose.yaml up -d fit"):
        job = start(command, {"compose.yaml": COMPOSE.format(command=way)})
        assert (job.learning_rate, job.batch_size) == (0.5, 4), command


def test_words_behind_a_service_are_run_in_its_place(start):
    files = {"docker-compose.yml": COMPOSE.format(command="sleep 9"), "Dockerfile": 'ENTRYPOINT ["python"]\n'}
    assert start("docker compose run fit train.py --lr 0.5", files).learning_rate == 0.5
    assert start("docker compose up store", files).learning_rate is None


@pytest.mark.parametrize(
    ("file", "command"),
    [
        ('CMD ["python", "train.py", "--lr", "0.5"]\n', "docker run --gpus all fit:1"),
        ('CMD ["python", "train.py", \\\n     # the rate\n     "--lr", "0.5"]\n', "docker run fit"),
        ("ENTRYPOINT python train.py \\\n    --lr '0.5' --tag=\"a b\"\n", "docker run fit"),
        ('CMD ["bash", "run.sh"]\n', "docker run fit"),
        ("CMD python train.py --lr 0.5\n", "docker build -t fit . && docker run --rm fit"),
        ('ENTRYPOINT ["python", "train.py"]\nCMD ["--lr", "9"]\n', "docker run fit --lr 0.5"),
        ('ENTRYPOINT ["python", "train.py"]\nCMD ["--lr", "0.5"]\n', "podman run fit"),
    ],
)
def test_an_image_starts_what_its_file_says(start, file, command):
    files = {"Dockerfile": f"FROM base\n{file}", "run.sh": "python train.py --lr 0.5\n"}
    assert start(command, files).learning_rate == 0.5


def test_words_that_follow_an_image_are_its_command(start):
    files = {"Dockerfile": 'CMD ["python", "train.py", "--lr", "9"]\n'}
    assert start("docker run fit python train.py --lr 0.5", files).learning_rate == 0.5


def test_an_image_that_is_not_made_here_starts_nothing(start):
    assert start("docker run fit", {}).learning_rate is None


def test_what_a_script_starts_itself_goes_before_an_image_that_may_be_another(start):
    files = {
        "Dockerfile": 'CMD ["python", "train.py", "--lr", "9"]\n',
        "run.sh": "docker run -d --name store redis\npython train.py --lr 0.5\n",
    }
    assert start("bash run.sh", files).learning_rate == 0.5
