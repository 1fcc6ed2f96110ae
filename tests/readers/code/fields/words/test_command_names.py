"""Names that the command gives by its options, and that a node of a configuration carries."""

from tests.readers.code.programs import data_of


def test_the_word_of_a_task_is_no_data_set(read):
    assert data_of(read, "--task_name NER", "task_name") is None
    assert data_of(read, "--task_name MRPC", "task_name") is not None
