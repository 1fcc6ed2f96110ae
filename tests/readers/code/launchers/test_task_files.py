"""Task files and manifests: what they run, on how many nodes with how many GPUs."""

import textwrap

import pytest

SKY = """
    name: fit
    resources:
      accelerators: A100:4
    num_nodes: 2
    envs:
      LR: 0.3
    setup: |
      pip install torch
    run: |
      echo "on $SKYPILOT_NODE_RANK"
      torchrun --nnodes=$SKYPILOT_NUM_NODES --nproc_per_node=$SKYPILOT_NUM_GPUS_PER_NODE \\
        train.py --lr $LR
"""


@pytest.mark.parametrize(
    ("command", "gpus", "nodes", "rate", "hardware"),
    [
        ("sky launch -c mine task.yaml", 8, 2, 0.3, "A100"),
        ("sky jobs launch task.yaml --env LR=0.7 --num-nodes 3", 12, 3, 0.7, "A100"),
        ("sky launch --gpus H100:8 task.yaml", 16, 2, 0.3, "H100"),
        ("sky exec mine --gpus V100 -- python train.py --lr 0.2", 1, 1, 0.2, "V100"),
    ],
)
def test_skypilot(start, command, gpus, nodes, rate, hardware):
    job = start(command, {"task.yaml": SKY})
    assert (job.num_gpus, job.num_nodes, job.learning_rate, job.hardware) == (gpus, nodes, rate, hardware)


TASKS = {
    "dstack apply -f t.yml": ("commands:\n  - cd .\n  - torchrun --nproc_per_node=2 train.py --lr 0.5\n", 2),
    "det experiment create t.yml .": ("entrypoint: python train.py --lr 0.5\nresources:\n  slots_per_trial: 1\n", 1),
    "mcli run -f t.yml": ("compute:\n  gpus: 8\n  gpu_type: a100\ncommand: |\n  composer -n 8 train.py --lr 0.5\n", 8),
    "az ml job create --file t.yml": ("command: >-\n  python train.py --lr 0.5\nresources: {}\n", 1),
    "mlflow run .": ("entry_points:\n  main:\n    command: python train.py --lr 0.5\n", 1),
    "anyscale job submit -f t.yml": ("name: x\nentrypoint: python train.py --lr 0.5\n", 1),
}


@pytest.mark.parametrize("command", TASKS)
def test_other_task_files(start, command):
    task, gpus = TASKS[command]
    job = start(command, {"t.yml": task, "MLproject": task})
    assert (job.is_training, job.learning_rate, job.num_gpus) == (True, 0.5, gpus)


POD = """
    spec:
      containers:
        - name: trainer
          image: x
          command: {command}
          env:
            - name: LR
              value: "0.5"
          resources:
            limits:
              nvidia.com/gpu: {gpus}
"""


def pod(command, gpus, indent):
    text = textwrap.dedent(POD).strip().replace("{command}", command).replace("{gpus}", str(gpus))
    return textwrap.indent(text, " " * indent)


def test_a_job_of_kubernetes(start):
    words = '[torchrun, --nproc_per_node=4, train.py, --lr, "0.5"]'
    text = f"apiVersion: batch/v1\nkind: Job\nspec:\n  template:\n{pod(words, 4, 4)}\n"
    job = start("kubectl apply -f job.yaml", {"job.yaml": text})
    assert (job.num_gpus, job.num_nodes, job.learning_rate) == (4, 1, 0.5)
    assert job.evidence["learning_rate"][0].path == "job.yaml"


def test_an_operators_replicas_are_nodes(start):
    master = pod("[bash, -c, 'torchrun --nproc_per_node=8 train.py --lr $LR']", 8, 8)
    text = f"""
kind: ConfigMap
data: {{}}
---
apiVersion: kubeflow.org/v1
kind: PyTorchJob
metadata:
  name: fit
spec:
  nprocPerNode: "8"
  pytorchReplicaSpecs:
    Master:
      replicas: 1
      template:
{master}
    Worker:
      replicas: 3
      template:
{master}
"""
    job = start("kubectl create -f job.yaml -n ml", {"job.yaml": text})
    assert (job.num_nodes, job.num_gpus, job.learning_rate, job.is_training) == (4, 32, 0.5, True)
    plain = text.replace("torchrun --nproc_per_node=8 train.py", "python train.py")
    job = start("kubectl create -f job.yaml", {"job.yaml": plain})
    assert (job.num_nodes, job.num_gpus) == (4, 32)
    one = plain.replace("nvidia.com/gpu: 8", "nvidia.com/gpu: 1").replace('  nprocPerNode: "8"\n', "")
    job = start("kubectl create -f job.yaml", {"job.yaml": one})
    assert (job.num_nodes, job.num_gpus, job.distributed) == (4, 4, "DDP")


def test_an_mpi_job_leads_from_a_pod_without_gpus(start):
    text = f"""
kind: MPIJob
spec:
  slotsPerWorker: 4
  mpiReplicaSpecs:
    Launcher:
      replicas: 1
      template:
        spec:
          containers:
          - name: lead
            command: [mpirun, -np, "8", python, train.py]
    Worker:
      replicas: 2
      template:
{pod("[sleep, inf]", 4, 8)}
"""
    job = start("kubectl apply -f job.yaml", {"job.yaml": text})
    assert (job.num_gpus, job.num_nodes, job.is_training) == (8, 2, True)


def test_a_ray_job_names_its_entrypoint(start):
    text = """
        kind: RayJob
        spec:
          entrypoint: python train.py --lr 0.5
          rayClusterSpec:
            workerGroupSpecs:
              - replicas: 2
                template:
                  spec:
                    containers:
                      - name: w
                        resources: {limits: {nvidia.com/gpu: 4}}
    """
    job = start("kubectl apply -f job.yaml", {"job.yaml": text})
    assert (job.is_training, job.learning_rate, job.num_nodes) == (True, 0.5, 2)


def test_a_manifest_that_is_fed(start):
    script = """
        cat <<EOF | kubectl apply -f -
        kind: Pod
        spec:
          containers:
          - command: ["python", "train.py", "--lr", "0.5"]
            resources:
              limits:
                nvidia.com/gpu: 1
        EOF
    """
    job = start("bash submit.sh", {"submit.sh": script})
    assert (job.is_training, job.learning_rate) == (True, 0.5)
    proof = job.evidence["learning_rate"][0]
    assert (proof.path, proof.line) == ("submit.sh", 5)


BROKEN = [
    "",
    "a: [",
    "kind: Job",
    "spec: {containers: []}",
    "spec: {template: {spec: {containers: [1, null, {}]}}}",
    "- 1\n- 2",
    "spec:\n  containers:\n  - command: python train.py\n",
    "---\n---\n",
    "x: &x [*x]",
    "kind: [1]\nspec: 3",
    "spec: {replicas: 99999999999, containers: [{command: [1, {}]}]}",
    "run: {a: 1}\nentrypoint: [1, [2]]\nresources: 3\nenvs: [1]\n",
]


@pytest.mark.parametrize("text", BROKEN)
@pytest.mark.parametrize("command", ["kubectl apply -f m.yaml", "sky launch m.yaml", "det e create m.yaml ."])
def test_broken_manifests_say_nothing(start, text, command):
    job = start(command, {"m.yaml": text})
    assert (job.batch_size, job.learning_rate) == (None, None)


def test_parameters_of_a_project_are_put_into_its_command(start):
    text = """
name: fit
entry_points:
  main:
    parameters:
      rate: {type: float, default: 9}
      rows: 4
    command: "python train.py --lr {rate} --batch {rows}"
"""
    job = start("mlflow run . -P rate=0.5", {"MLproject": text})
    assert (job.learning_rate, job.batch_size) == (0.5, 4)


SLOTS = """
name: herons
entrypoint: >-
  python -m determined.launch.torch_distributed
  python fit.py
resources:
  slots_per_trial: 16
"""
OF_RANKS = """
import torch
torch.distributed.init_process_group("nccl")
net = torch.nn.parallel.DistributedDataParallel(torch.nn.Linear(2, 1).cuda())
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for x in range(9):
    net(x).sum().backward()
    opt.step()
"""


def test_a_trial_of_determined_hands_on_its_program_and_may_lie_on_many_machines(read):
    found = read({"fit.py": OF_RANKS, "trial.yaml": SLOTS}, "det experiment create trial.yaml .")
    assert (found.is_training, found.num_gpus, found.num_nodes, found.distributed) == (True, 16, None, "DDP")
