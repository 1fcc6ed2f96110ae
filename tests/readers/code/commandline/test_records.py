"""Options defined by records, the repository's dataclasses and the libraries' own, filled from words."""

from tests.readers.code.programs import settings_of

PARSER = """
import dataclasses, os, sys
from dataclasses import dataclass, field
from transformers import AutoModelForCausalLM, HfArgumentParser, Trainer, TrainingArguments

class FileParser(HfArgumentParser):
    def parse_yaml_and_args(self, path, words):
        outputs = []
        words = {word.split("=")[0].strip("-"): word.split("=")[1] for word in words}
        for record, kind in zip(self.parse_yaml_file(os.path.abspath(path)), self.dataclass_types):
            keys = {f.name for f in dataclasses.fields(record) if f.init}
            inputs = {k: v for k, v in vars(record).items() if k in keys}
            inputs.update({k: v for k, v in words.items() if k in keys})
            outputs.append(kind(**inputs))
        return outputs
    def parse(self):
        return self.parse_yaml_and_args(os.path.abspath(sys.argv[1]), sys.argv[2:])

@dataclass
class Model:
    name_or_path: str = field(default=None)

model, training = FileParser((Model, TrainingArguments)).parse()
trainer = Trainer(model=AutoModelForCausalLM.from_pretrained(model.name_or_path), args=training)
for iteration in range(1):
    trainer.train()
"""
FILE = "name_or_path: gpt2\nlearning_rate: 1.0e-5\nnum_train_epochs: 6\nper_device_train_batch_size: 4\n"
FILE += "gradient_accumulation_steps: 8\n"


def test_words_stand_over_the_file_of_a_copied_parser_and_rounds_around_a_trainer_are_no_steps(read):
    job = read({"train.py": PARSER, "c.yml": FILE}, "python train.py c.yml --num_train_epochs=1 --learning_rate=2e-4")
    assert (*settings_of(job), job.total_steps) == (4, 2e-4, 1, None)
