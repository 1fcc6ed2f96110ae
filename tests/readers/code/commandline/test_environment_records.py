"""Settings that pydantic reads from the environment and the command line."""

CODE = """
import os
from pydantic import BaseModel, Field
from pydantic_settings import BaseSettings, SettingsConfigDict
os.environ["JOB_RATE"] = "0.25"
os.environ["JOB_ROWS__SIZE"] = "12"
os.environ["OTHER"] = "7"
class Rows(BaseModel):
    size: int = 3
    kept: int = 4
class Job(BaseSettings{head}):
    {body}
    rate: float = 0.5
    rows: Rows = Rows()
    rounds: int = Field(2, validation_alias="OTHER")
job = Job({given})
x = [job.rate, job.rows.size, job.rows.kept, job.rounds]
"""


def test_variables_fill_fields_behind_a_prefix_and_a_delimiter(outcome):
    body = 'model_config = SettingsConfigDict(env_prefix="JOB_", env_nested_delimiter="__")'
    assert outcome(CODE.format(head="", body=body, given="")) == [0.25, 12, 4, 7]
    body = 'class Config:\n        env_prefix = "job_"'
    assert outcome(CODE.format(head="", body=body, given="rate=0.125")) == [0.125, 3, 4, 7]


def test_words_fill_fields_where_the_class_says_so(outcome):
    code = CODE.format(head=", cli_parse_args=True", body="pass", given="")
    assert outcome(code, "--rate 0.0625 --rows.size=9") == [0.0625, 9, 4, 7]
    assert outcome(CODE.format(head="", body="pass", given=""), "--rate 0.0625") == [0.5, 3, 4, 7]


def test_a_record_of_pydantic_is_no_network(read):
    program = (
        "import torch\nfrom pydantic import BaseModel\n"
        "class Statistics(BaseModel):\n    mean: float = 0.0\n"
        "known = Statistics.model_validate({'mean': 0.5})\n"
        "weight = torch.nn.Parameter(torch.zeros(4))\noptimizer = torch.optim.SGD([weight], lr=0.1)\n"
        "for epoch in range(3):\n    (weight * known.mean).sum().backward()\n    optimizer.step()\n"
    )
    job = read({"train.py": program}, "python train.py")
    assert (job.model_name, job.learning_rate, job.epochs) == (None, 0.1, 3)
