"""Makefiles: values over several lines, included ones, conditions, targets with their own variables, patterns."""

import pytest

FLAGS = "fit:\n\tpython train.py $(FLAGS)\n"
OWN = "fit:\n\tpython train.py --lr 0.5 --batch 4\n"


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("FLAGS = --lr 0.5 \\\n  --batch 4\n" + FLAGS, "make fit"),
        ("FLAGS = --lr 0.5 # rate\nFLAGS += --batch 4\n" + FLAGS, "make"),
        ("include more.mk\n" + FLAGS, "make fit"),
        ("FLAGS = --lr 9\nfit: FLAGS = --lr 0.5 --batch 4\nother: FLAGS = --lr 7\n" + FLAGS, "make fit"),
        ("ifeq ($(FAST),1)\nFLAGS = --lr 9\nelse\nFLAGS = --lr 0.5 --batch 4\nendif\n" + FLAGS, "make fit"),
        ("ifneq ($(FAST),)\nFLAGS = --lr 0.5 --batch 4\nelse\nFLAGS = --lr 9\nendif\n" + FLAGS, "make FAST=1"),
        ("ifdef FAST\nFLAGS = --lr 0.5 --batch 4\nendif\n" + FLAGS, "make FAST=1"),
        ("ifeq ($(strip $(FAST)),)\nFLAGS = --lr 0.5 --batch 4\nelse\nFLAGS = --lr 9\nendif\n" + FLAGS, "make"),
        ("ifdef FAST # quick\nFLAGS = --lr 9\nelse ifeq ('$(A)', '')\nFLAGS = --lr 9\nendif\n" + OWN, "make fit"),
        ("ifeq ($(findstring a,$(B)),a)\nQUICK = 1\nendif\n" + OWN, "make fit"),
        ("ifneq (,$(filter a b,$(B)))\nQUICK = 1\nelse ifdef $(B)\nQUICK = 2\nendif\n" + OWN, "make fit"),
        ("ifeq\t($(FAST),1)\nFLAGS = --lr 9\nelse  ifdef\tFAST\nFLAGS = --lr 8\nendif\n" + OWN, "make fit"),
        ("ifndef\tFAST\nFLAGS = --lr 0.5 --batch 4\nelse\nFLAGS = --lr 9\nendif\n" + FLAGS, "make fit"),
        (f"ifdef FAST\nFLAGS = --lr 9\n{'else ' * 3000}\nendif\n{OWN}", "make fit"),
        ("M ?= a\nFLAGS_a = --lr 0.5 --batch 4\nfit:\n\tpython train.py $(FLAGS_$(M))\n", "make"),
        ("fit: ; python train.py --lr 0.5 --batch 4\n", "make fit"),
        ("fit-%: %.txt\n\tpython train.py --lr $* --batch $(basename $<)\n", "make fit-0.5"),
        ("C = runs/four/0.5\nfit:\n\tpython $(dir ${TOP}x)train.py --lr $(notdir $(C)) --batch 4\n", "make TOP=./"),
        ("fit-%: 4\n\tpython train.py --lr $* --batch $<\n4:\n\ttouch $@\n", "make fit-0.5"),
    ],
)
def test_what_a_target_starts(start, text, command):
    job = start(command, {"Makefile": text, "more.mk": "FLAGS := --lr 0.5\nFLAGS += --batch 4\n"})
    assert job.learning_rate == 0.5
    assert job.batch_size in (4, None) if "basename" in text else job.batch_size == 4


def test_what_the_command_gives_wins(start):
    files = {"Makefile": "LR = 0.1 \\\n\nLR += 3\nfit:\n\tpython train.py --lr $(LR)\n"}
    assert start("make fit LR=0.5", files).learning_rate == 0.5
