"""`schedmate kubernetes`: what to do about a dead pod, step by step; nothing is changed without --mode."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from schedmate.choices import RecoveryMode
from schedmate.cli.saying import say

if TYPE_CHECKING:
    from schedmate.clusters.kubernetes.api import KubernetesApi
    from schedmate.scheduling.recovery.pod_failures import PodFailures

app = typer.Typer(
    no_args_is_help=True, help="Recover pods of Kubernetes: cordon nodes, delete dead pods, and take it back."
)
POD = typer.Argument(..., metavar="NS/NAME", help="The pod.")
ACTION = typer.Argument(..., metavar="ACTION", help="The number of the step, as `recover` and `list` print it.")
CONTEXT = typer.Option("", "--context", help="kubectl's context, if not the present one.")
AS_JSON = typer.Option(False, "--json", help="Print JSON.")


@app.command()
def recover(
    pod: str = POD,
    mode: RecoveryMode = typer.Option(
        "observe", "--mode", help="observe: change nothing; suggest: ask first; act: do it."
    ),
    context: str = CONTEXT,
    as_json: bool = AS_JSON,
) -> None:
    """Diagnose a dead pod and plan what to do: look at its node, cordon it, delete the pod so that another starts.

    By default it only says what it would do. With --mode suggest it stops before each step that changes something,
    until somebody approves it; with --mode act it does what needs no person's word. The rules are those of policy.toml.

    Examples: schedmate kubernetes recover ml/llm-worker-2; schedmate kubernetes recover ml/llm-worker-2 --mode suggest
    """
    from schedmate.cli.diagnose import reader_of_pods
    from schedmate.clusters.kubernetes.diagnosing import diagnose_pod
    from schedmate.clusters.kubernetes.site import KubernetesSite

    with opened(context, mode != "observe") as (api, failures):
        site = KubernetesSite(api)
        facts = site.look_up(pod)
        found = diagnose_pod(api, pod, reader_of_pods(pod))
        say(f"{pod}: {found.failure_id or found.category}: {found.explanation}", err=as_json)
        _, told = failures.begin(site, facts, found, mode)
    show(pod, told, as_json)


@app.command("list")
def list_(context: str = CONTEXT, as_json: bool = AS_JSON) -> None:
    """Show the pods that recovery was asked about, with their steps.

    Examples: schedmate kubernetes list; schedmate kubernetes list --json
    """
    from schedmate.clusters.kubernetes.site import KubernetesSite

    with opened(context, False) as (api, failures):
        for one in failures.known.values():
            show(one.pod.name, failures.steps(KubernetesSite(api), one), as_json)
        if not failures.known and not as_json:
            say("recovery was asked about no pod", err=True)


@app.command()
def approve(pod: str = POD, action: int = ACTION, context: str = CONTEXT, as_json: bool = AS_JSON) -> None:
    """Let a proposed step be done, or one for which only the log speaks; the plan goes on to the next.

    Example: schedmate kubernetes approve ml/llm-worker-2 3
    """
    answer(pod, action, "approve", context, as_json)


@app.command()
def reject(pod: str = POD, action: int = ACTION, context: str = CONTEXT, as_json: bool = AS_JSON) -> None:
    """Refuse a proposed step; the plan goes on to the next.

    Example: schedmate kubernetes reject ml/llm-worker-2 3
    """
    answer(pod, action, "reject", context, as_json)


@app.command()
def undo(pod: str = POD, action: int = ACTION, context: str = CONTEXT) -> None:
    """Uncordon what a step has cordoned; what somebody else has cordoned, or changed since, stays.

    Example: schedmate kubernetes undo ml/llm-worker-2 3
    """
    from schedmate.cli.proposals import actor
    from schedmate.clusters.kubernetes.site import KubernetesSite

    with opened(context, True) as (api, failures):
        say(f"action {action} is undone: {failures.undo(KubernetesSite(api), pod, action, actor())}")


def answer(pod: str, action: int, word: str, context: str, as_json: bool) -> None:
    """Hand over a person's word."""
    from schedmate.cli.proposals import actor
    from schedmate.clusters.kubernetes.site import KubernetesSite

    with opened(context, True) as (api, failures):
        told = failures.answer(KubernetesSite(api), pod, action, word, actor())
    show(pod, told, as_json)


@contextmanager
def opened(context: str, may_act: bool) -> "Iterator[tuple[KubernetesApi, PodFailures]]":
    """Open the cluster, and what was planned before."""
    from schedmate.clusters.kubernetes.api import open_api
    from schedmate.scheduling.recovery.owner_rules import FILE_NAME, read_rules
    from schedmate.scheduling.recovery.pod_failures import open_pod_failures
    from schedmate.settings import get_settings

    data_dir = get_settings().data_dir
    rules = read_rules(data_dir / FILE_NAME)
    with (
        open_pod_failures(data_dir / "kubernetes", rules, lambda words: say(words, err=True)) as failures,
        open_api(context, may_act) as api,
    ):
        yield api, failures


def show(pod: str, told: dict[str, Any], as_json: bool) -> None:
    """Print the steps, and the question that waits."""
    if as_json:
        say(json.dumps({"pod": pod, **told}))
        return
    for step in told["steps"]:
        say(f"  {step['id']}  {step['kind']} {step['target']}: {step['event']}: {step['detail'] or step['reason']}")
    if waiting := told["proposed"]:
        say(f"proposed: {waiting['words']}")
        say(f"schedmate kubernetes approve {pod} {waiting['action']}, or reject")
