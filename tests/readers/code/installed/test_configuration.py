"""Load an installed program's configuration and put the command line's options over it."""

CONFIG = """
// what the variables stand for
local model = "roberta-base";
local batch(size) = {"type": "bucket", "batch_size": size};
{
  "dataset_reader": {"type": "snli"},
  "train_data_path": std.extVar("DATA"),
  "model": {
    "type": "basic_classifier",
    "text_field_embedder": {"token_embedders": {"tokens": {"type": "pretrained_transformer", "model_name": model}}},
  },
  "data_loader": {"batch_sampler": batch(if model == "bert" then 64 else 4 * 4)},
  "trainer": {
    "num_epochs": 5, # not more
    "optimizer": {"type": "huggingface_adamw"} + {"lr": 2.5e-1},
  },
}
"""


def test_a_job_of_allennlp(read):
    job = read({"snli.jsonnet": CONFIG}, "allennlp train snli.jsonnet -s out --include-package mine")
    assert (job.is_training, job.model_name, job.model_type) == (True, "roberta-base", "transformer")
    assert (job.batch_size, job.epochs, job.learning_rate, job.optimizer) == (16, 5, 0.25, "AdamW")
    assert (job.distributed, job.precision, job.num_gpus) == ("none", "fp32", None)
    assert read({"snli.jsonnet": CONFIG}, "allennlp evaluate model.tar.gz data.jsonl").is_training is False


def test_a_job_of_allennlp_takes_numbers_out_of_the_environment(read):
    config = CONFIG.replace("4 * 4", 'std.extVar("SIZE")').replace(
        '"num_epochs": 5', '"num_epochs": std.extVar("MANY")'
    )
    config = config.replace("2.5e-1", '"5e-5"').replace(
        '"optimizer"', '"cuda_device": [std.extVar("DEVICE")], "optimizer"'
    )
    script = "export SIZE=24\nMANY=${1} DEVICE=-1 allennlp train snli.jsonnet -s out\n"
    job = read({"snli.jsonnet": config, "run.sh": script}, "bash run.sh 7")
    assert (job.batch_size, job.epochs, job.learning_rate, job.num_gpus) == (24, 7, 5e-5, 0)


def test_neox_puts_its_configurations_together(read):
    files = {
        "deepy.py": "from megatron.neox_arguments import NeoXArgs\n",
        "megatron/neox_arguments/__init__.py": "",
        "train.py": "",
        "configs/sizes/small.yml": """
            {
              "train_micro_batch_size_per_gpu": 6,
              "gradient_accumulation_steps": 2,
              "train_iters": 1200,
              "optimizer": {"type": "Adam", "params": {"lr": 0.0003}},
              "fp16": {"enabled": true},
            }
            """,
        "configs/here.yml": """
            data-path: data/enwik8/enwik8_text_document
            train_iters: 800
            """,
    }
    found = read(files, "python deepy.py train.py -d configs sizes/small.yml here.yml")
    assert (found.is_training, found.model_name, found.distributed) == (True, "GPT-NeoX", "DeepSpeed")
    assert (found.batch_size, found.global_batch_size, found.num_gpus) == (6, None, None)
    assert (found.total_steps, found.learning_rate, found.optimizer) == (800, 0.0003, "Adam")
    assert (found.precision, found.dataset_name) == ("fp16", "enwik8")


def test_what_an_evaluation_reads_is_told(read):
    command = "lm_eval --model hf --model_args pretrained=EleutherAI/gpt-j-6B,dtype=float16 --tasks hellaswag"
    job = read({"README.md": ""}, f"{command} --device cuda:0 --batch_size 8")
    assert (job.is_training, job.batch_size, job.dataset_name, job.num_gpus) == (False, 8, "hellaswag", 1)
    assert (job.model_name, job.precision, job.learning_rate) == ("EleutherAI/gpt-j-6B", "fp16", None)
