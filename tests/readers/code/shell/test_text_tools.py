"""What a script has printed into a name: `$(...)` of plain commands and of pipes that count."""

import pytest

from schedmate.readers.code.shell.text_tools import filtered, sorted_options

TRAIN = """
import torch
model = torch.nn.parallel.DistributedDataParallel(torch.nn.LSTM(2, 2).cuda())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
torch.distributed.init_process_group("nccl")
for epoch in range(3):
    model(1)[0].sum().backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    ("counting", "number"),
    [
        ("echo $gpus | awk -F ',' '{print NF}'", 3),
        ('echo "$gpus" | awk -F, "{ print NF }"', 3),
        ("echo $gpus | tr ',' '\\n' | wc -l", 3),
        ("echo $gpus | tr -d '[]' | tr ',' ' ' | wc -w", 3),
        ("echo $gpus | awk '{print NF}'", 1),
        ("echo $gpus | awk -F ',' '{print $2}'", 1),
        ("nvidia-smi -L | wc -l", None),
    ],
)
def test_processes_are_counted_as_the_script_counts_them(read, counting, number):
    script = f"gpus='[0,1,2]'\nn=$({counting})\ntorchrun --nproc_per_node=$n train.py\n"
    assert read({"train.py": TRAIN, "run.sh": script}, "bash run.sh").num_gpus == number


JOBS = "0.1 4\n0.25 8\n0.5 16\n"
TOLD = """
import argparse, torch
parser = argparse.ArgumentParser()
parser.add_argument("--rate", type=float, default=9.0)
parser.add_argument("--rows", type=int, default=99)
args = parser.parse_args()
model = torch.nn.Linear(2, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=args.rate)
for rows in torch.utils.data.DataLoader([1], batch_size=args.rows):
    model(rows).backward()
    optimizer.step()
"""


@pytest.mark.parametrize(
    "way",
    [
        "set -- $(sed -n 2p jobs.txt)",
        'set -- $(sed -n "${n}p" jobs.txt)',
        "set -- $(sed '2q;d' jobs.txt)",
        "set -- $(head -n $n jobs.txt | tail -1)",
        "set -- $(head -2 jobs.txt | tail -n 1)",
        "set -- $(tail -n +2 jobs.txt | head -n 1)",
        'set -- $(awk "NR==$n" jobs.txt)',
        "set -- $(awk 'NR==2 {print $1}' jobs.txt) $(sed -n 2p jobs.txt | cut -d ' ' -f 2)",
    ],
)
def test_a_line_of_a_file_is_taken_by_its_number(read, way):
    script = f"n=2\n{way}\npython fit.py --rate $1 --rows $2\n"
    job = read({"fit.py": TOLD, "run.sh": script, "jobs.txt": JOBS}, "bash run.sh")
    assert (job.learning_rate, job.batch_size) == (0.25, 8)


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        (["cut", "-d", " ", "-f", "2"], "4\n8\n16"),
        (["awk", "{print $2}"], "4\n8\n16"),
        (["awk", "{print NF}"], "2\n2\n2"),
        (["awk", "{print $3}"], None),
        (["sed", "s/0/1/"], "1.1 4\n1.25 8\n1.5 16"),
    ],
)
def test_a_tool_takes_each_line(words, printed):
    assert filtered(words, JOBS.rstrip("\n")) == printed


def test_lines_are_counted_beside_the_name_of_their_file(read):
    script = "L=$(wc -l jobs.txt)\npython fit.py --rate 0.25 --rows ${L%jobs.txt}\n"
    assert read({"fit.py": TOLD, "run.sh": script, "jobs.txt": JOBS}, "bash run.sh").batch_size == 3
    script = "python fit.py --rate 0.25 --rows $(wc -l jobs.txt | cut -d ' ' -f 1)\n"
    assert read({"fit.py": TOLD, "run.sh": script, "jobs.txt": JOBS}, "bash run.sh").batch_size == 3


def test_a_field_is_quoted_by_its_line(read):
    script = "python fit.py --rate $(awk 'NR==2 {print $1}' jobs.txt) --rows 8\n"
    job = read({"fit.py": TOLD, "run.sh": script, "jobs.txt": JOBS}, "bash run.sh")
    assert ("jobs.txt", 2) in [(one.path, one.line) for one in job.evidence["learning_rate"]]


def test_an_array_of_one_job_knows_its_number(read):
    files = {"fit.py": TOLD, "run.sh": "R=(9 0.25)\npython fit.py --rate ${R[$SLURM_ARRAY_TASK_ID]} --rows 8 > log\n"}
    assert read(files, "sbatch --array=1 run.sh").learning_rate == 0.25
    assert read(files, "sbatch --array=0-1 run.sh").learning_rate is None
    assert read({**files, "run.sh": "#SBATCH -a 1%1\n" + files["run.sh"]}, "sbatch run.sh").learning_rate == 0.25


@pytest.mark.parametrize(
    ("told", "text"),
    [
        ("-o c:v -l config:,deep -- -v -c a.yaml x --deep y", "-v -c a.yaml --deep -- x y"),
        ("-oc:v --long config: --name go -- x -va.yaml", None),
        ("--options=c:v --longoptions=config: -- --config=a.yaml -vcb -- -x", "--config a.yaml -v -c b -- -x"),
        ("-o c:: -- -c x -cy", "-c '' -c y -- x"),
        ("c:v -c a.yaml x", "-c a.yaml -- x"),
        ("-o c: -- -z", None),
        ("-o c: -- -c", None),
        ("-l deep -- --deep=3", None),
        ("--test", "--"),
    ],
)
def test_getopt_puts_options_before_the_rest(told, text):
    assert sorted_options(told.split()) == text


def test_what_getopt_has_sorted_is_taken_one_by_one(read):
    script = """
        TOLD=$(getopt --options r:n: --longoptions rate:,rows: --name "$0" -- "$@")
        eval set -- "$TOLD"
        while true; do
            case "$1" in
                -r|--rate) rate="$2"; shift 2 ;;
                -n|--rows) rows="$2"; shift 2 ;;
                --) shift; break ;;
            esac
        done
        python train.py --rate $rate --rows $rows
    """
    job = read({"train.py": TOLD, "run.sh": script}, "bash run.sh --rows=12 -r0.25")
    assert (job.learning_rate, job.batch_size) == (0.25, 12)
    assert any(spot.path == "command" for spot in job.evidence["learning_rate"])
