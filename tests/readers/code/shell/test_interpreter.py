"""What a shell would start, with which words, without starting anything."""

import pytest

from schedmate.readers.code.libraries.argument_words import word_text
from schedmate.readers.code.shell.bash import Bash
from schedmate.readers.code.shell.session import ShellSession, ShellVariables
from schedmate.readers.code.shell.tokens import tokenize
from schedmate.readers.code.values.value import COMMAND
from schedmate.tools.repository import Repository


@pytest.fixture
def follow(tmp_path):
    """Follow a text beside some files; give the words of what it starts."""

    def follow_text(text, files=None):
        for name, content in (files or {}).items():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / name).write_text(content)
        shell = ShellSession(Repository(tmp_path))
        Bash(shell, ShellVariables(), COMMAND).run_to_end(tokenize(text))
        return shell

    return follow_text


def words(shell):
    return [[word_text(word) for word in started.words] for started in shell.started]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("A=1 B='x y'\nrun $A \"$B\" $B", ["1", "x y", "x", "y"]),
        ("run 'a $A' \\$A a\\ b \"c\"d", ["a $A", "$A", "a b", "cd"]),
        ("A=(a 'b c'); A+=(d); run ${A[@]} \"${A[@]}\" ${#A[@]} ${A[1]} ${A[-1]}",
         ["a", "b", "c", "d", "a", "b c", "d", "3", "b", "c", "d"]),
        ("declare -A M=([x]=1 [y]=2); K=y; M[z]=3; run ${M[x]} ${M[$K]} ${M[z]}", ["1", "2", "3"]),
        ("set -- a b c; run $# $1 ${3} \"$@\"; shift", ["3", "a", "c", "a", "b", "c"]),
        ("set -- a b c; shift 2; run $1 ${2:-none}", ["c", "none"]),
        ("A=dir/file.tar.gz; run ${A%.*} ${A%%.*} ${A##*/} ${A#*/} ${A/file/x} ${A:4:4}",
         ["dir/file.tar", "dir/file", "file.tar.gz", "file.tar.gz", "dir/x.tar.gz", "file"]),
        ("A=Abc; run ${A,,} ${A^^} ${#A} ${B:-d} ${A:+set} ${B:+set}", ["abc", "ABC", "3", "d", "set"]),
        (": ${A:=5}; run $A $((A * 2 + 1)) $(( 7 / 2 ))", ["5", "11", "3"]),
        ("P=Q; Q=7; run ${!P}", ["7"]),
        ("A=(a b c); i=0; run ${A[i]} ${A[$i+1]} ${A[$((i + 2))]} ${A[$i]}", ["a", "b", "c", "a"]),
        ("A=abcd; n=2; B=b; run ${A:$n:1} ${A/$B/x} ${A/#a/x} ${A/%d/x} ${A/b*/x}",
         ["c", "axcd", "xbcd", "abcx", "${A/b*/x}"]),
        ("run --n 4 > out", ["--n", "4"]),
        ("run --n 4 2> errors 1>&2", ["--n", "4"]),
        ("run --n 4>out", ["--n"]),
        ("run $(basename a/b.py .py) $(dirname a/b.py) $(echo x y)", ["b", "a", "x", "y"]),
        ("run $(hostname) `date`", ["$(hostname)", "$(date)"]),
        ("run $UNSET ${UNSET} a${UNSET}b", ["${UNSET}", "${UNSET}", "a${UNSET}b"]),
        ("run a # b\n", ["a"]),
        ("run a \\\n  b > out 2>&1 < in", ["a", "b"]),
        ("run --x={1..3} *.py", ["--x={1..3}", "*.py"]),
    ],
)  # fmt: skip
def test_words(follow, text, expected):
    assert words(follow(text))[0] == ["run", *expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("if [ 1 -gt 0 ]; then run a; else run b; fi", ["a"]),
        ("if [[ x == y || -z \"\" ]]; then run a; else run b; fi", ["a"]),
        ("if [ ! -f absent ]; then run a; fi", ["a"]),
        ("if [ -f here.txt ]; then run a; else run b; fi", ["a"]),
        ("X=2; if [ $X = 1 ]; then run a; elif [ $X = 2 ]; then run b; else run c; fi", ["b"]),
        ("case abc in a*) run a;; *) run b;; esac", ["a"]),
        ("case z in a|b) run a;; c|z) run c;; esac", ["c"]),
        ("for x in 1; do run $x; done", ["1"]),
        ("i=0; while [ $i -lt 3 ]; do i=$((i+1)); done; run $i", ["3"]),
        ("true && run a; false && run b; false || run c; true || run d", ["a", "c"]),
        ("false && { run a; } || run b", ["b"]),
        ("f() { local x=$1; run $x; return; run no; }; f 1; f 2", ["1", "2"]),
        ("function g { run $#; }\ng a b", ["2"]),
        ("(cd sub; exit 1); run after", ["after"]),
        ("{ run a; run b; }", ["a", "b"]),
        ("run a; exit 0; run b", ["a"]),
        ("eval 'run a'; exec run b", ["a", "b"]),
        ("! run a", ["a"]),
        ('if [[ -z $WORK ]]; then echo "set WORK"; exit 1; fi; run a', ["a"]),
        ('if [ -z "$WORK" ]; then if true; then exit 1; fi; run no; fi; run a', ["a"]),
        ('[ -z "$WORK" ] && { echo "set it"; exit 1; }; run a', ["a"]),
        ('[ -n "$WORK" ] || { echo "set it"; exit 1; }; run a', ["a"]),
        ("probe || { echo no; exit 1; }; run a", ["a"]),
        ("[ $# -gt 0 ] || exit 1; run a", []),
        ("run a | run b && run c &", ["a", "b", "c"]),
        ("bash -c 'run $0 $1' x y", ["x", "y"]),
        ("set -- -r 5 -v file; while getopts r:v o; do case $o in r) R=$OPTARG;; v) V=1;; esac; done\n"
         "shift $((OPTIND - 1)); run $R $V $1", ["5", "1", "file"]),
        ('set -- --lr 3 --n 4\nwhile (( "$#" )); do case "$1" in --lr) L=$2; shift 2;; --n) N=$2; shift 2;; '
         "*) exit 1;; esac; done; run $L $N", ["3", "4"]),
        ("N=4; if (( N > 2 )); then run big; else run small; fi", ["big"]),
        ("N=0; if [[ abc == *b* ]]; then (( N += 16 )); fi; ((N = N * 2)); (( N++ )); run $N", ["33"]),
        ("N=3; M=3; if (( N == 4 )); then run no; fi; (( M -= 2 )); run $N $M", ["3", "1"]),
        ("N=3; (( N += $UNSET )); run $N", ["$((N+($UNSET)))"]),
    ],
)  # fmt: skip
def test_branches(follow, text, expected):
    started = words(follow(text, {"here.txt": "", "sub/x": ""}))
    assert [word for one in started for word in one[1:]] == expected


def test_what_hangs_on_the_run_is_seen_but_not_sure(follow):
    shell = follow("if nvidia-smi; then run a; else run b; fi; run c")
    assert words(shell) == [["run", "a"], ["run", "b"], ["run", "c"]]
    assert [started.sure for started in shell.started] == [False, False, True]
    shell = follow("X=1\nif probe; then X=2; fi\nrun $X")
    assert words(shell)[-1] == ["run", "${X}"]
    assert words(follow("for x in a b; do run $x; done"))[0] == ["run", "${x}"]


def test_variables_go_down_only_where_they_are_exported(follow):
    files = {"inner.sh": "run ${A:-no} ${B:-no} ${C:-no} $1\n", "names.sh": "D=4\ncd sub\n", "sub/x": ""}
    shell = follow("export A=1\nB=2\nC=3 bash inner.sh x\nsource names.sh\nrun $D", files)
    assert words(shell) == [["run", "1", "no", "3", "x"], ["run", "4"]]
    assert [started.workdir for started in shell.started] == [".", "sub"]
    assert shell.started[0].scripts == ("inner.sh",)


def test_each_word_knows_its_line(follow):
    shell = follow("A=1\n\nrun \\\n  --lr $A \\\n  --x 2\n")
    assert [word.src[-1].line for word in shell.started[0].words] == [3, 4, 4, 5, 5]
    assert shell.started[0].words[2].src[0].line == 1


def test_text_that_feeds_a_command(follow):
    shell = follow("X=1\nsbatch <<EOF\na $X\nEOF\nbatch <<'EOF'\nb $X\nEOF\necho c | more\ntee <<< d | last")
    assert [started.stdin.data for started in shell.started] == ["a 1", "b $X", "c", "d"]
    assert shell.started[0].stdin.src[0].line == 3


def test_a_script_finds_its_own_folder_in_all_the_usual_ways(read):
    program = (
        "import torch\nmodel = torch.nn.Linear(2, 2)\nopt = torch.optim.SGD(model.parameters(), lr=float(open_rate))\n"
    )
    told = "import argparse\nimport torch\nparser = argparse.ArgumentParser()\nparser.add_argument('--file')\n"
    told += "import yaml\nrate = yaml.safe_load(open(parser.parse_args().file))['rate']\n"
    program = (
        told
        + program.replace("float(open_rate)", "rate")
        + "for _ in range(3):\n    model(1).sum().backward()\n    opt.step()\n"
    )
    ways = (
        'D="$( cd "$( dirname "${BASH_SOURCE[0]}" )" && pwd )"',
        'D="$(cd -- "$(dirname -- "$0")" > /dev/null 2>&1 && pwd -P)"',
        'D="${BASH_SOURCE%/*}"',
        'D="$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")"',
        'cd -P "$(dirname "$0")"; D=$PWD',
        "D=$(git rev-parse --show-toplevel)/jobs/one",
    )
    for way in ways:
        files = {
            "jobs/one/fit.py": program,
            "jobs/one/rate.yaml": "rate: 0.07\n",
            "jobs/one/run.sh": f"{way}\npython $D/fit.py --file $D/rate.yaml\n",
            "fit.py": "print(1)\n",
        }
        assert read(files, "bash jobs/one/run.sh").learning_rate == 0.07, way


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('for one in --rate 0.1; do MORE="$MORE $one"; done\npython fit.py $MORE\n', ["fit.py", "--rate", "0.1"]),
        ('MORE="--rate 0.1 ${MORE}"\npython fit.py $MORE\n', ["fit.py", "--rate", "0.1"]),
        ('MORE="-v"\nMORE="$MORE --rate 0.1"\npython fit.py $MORE\n', ["fit.py", "-v", "--rate", "0.1"]),
        ('PLACE="$PLACE:/data"\npython fit.py $PLACE\n', ["fit.py", "$PLACE:/data"]),
    ],
)
def test_words_that_are_gathered_under_a_name_begin_with_none(follow, text, expected):
    found = words(follow(text))[-1]
    assert [word.replace("{", "").replace("}", "") for word in found[-len(expected) :]] == expected
