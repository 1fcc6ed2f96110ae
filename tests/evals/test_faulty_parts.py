"""The eval of faulty parts counts what is named, what is not, and what is another's."""

from argparse import ArgumentParser

import pytest

from evals import faulty_parts

STEPS = "".join(f"step {step}: loss {3 - step / 100:.3f}\n" for step in range(40))
FELL = "gpu17 kernel: [93211.118] NVRM: Xid (PCI:0000:3b:00): 79, pid=4711, name=python, GPU has fallen off the bus.\n"


@pytest.fixture
def counted(tmp_path):
    def count(part, category="infrastructure"):
        head = "name,category,subcategory,root_line,root_span,faulty_component\n"
        (tmp_path / "labels.csv").write_text(f"{head}job,{category},gpu,41,1,{part}\n")
        (tmp_path / "job.log").write_text(STEPS + FELL)
        parser = ArgumentParser()
        faulty_parts.add_arguments(parser)
        table = faulty_parts.run(parser.parse_args([str(tmp_path), "--cases"])).tables[0]
        row = next(iter(table.records()))
        return [row[name] for name in faulty_parts.COLUMNS[1:]]

    return count


@pytest.mark.parametrize(
    ("part", "counts"),
    [
        ("gpu17", [1, 1, 0, 0, 0, 0]),
        ("gpu17.cluster 0000:3b:00", [1, 1, 0, 0, 0, 0]),
        ("gpu1", [1, 0, 0, 1, 0, 0]),
        ("", [0, 0, 0, 0, 1, 1]),
    ],
)
def test_a_part_is_named_or_another_is(counted, part, counts):
    assert counted(part) == counts


def test_what_is_no_machines_fault_is_not_counted(counted):
    assert counted("gpu17", "script") == [0, 0, 0, 0, 0, 0]
