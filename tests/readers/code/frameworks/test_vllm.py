"""What an engine of vLLM is told it computes in."""

import pytest

SAMPLE = """
import vllm

engine = vllm.LLM(model="facebook/opt-125m"{told})
print(engine.generate("Hello"))
"""


@pytest.mark.parametrize(
    ("told", "precision"), [(', dtype="bfloat16"', "bf16"), (', dtype="half"', "fp16"), (', dtype="auto"', None)]
)
def test_the_engine_computes_in_the_type_that_it_is_told(read, told, precision):
    assert read({"say.py": SAMPLE.format(told=told)}, "python say.py").precision == precision
