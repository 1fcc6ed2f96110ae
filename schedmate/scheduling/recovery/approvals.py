"""Proposals that wait for a person, as threads of the approval graph whose checkpoints lie in the loop's own store."""

from schedmate.graphs.approve import Proposal, Verdict
from schedmate.graphs.state import Fields
from schedmate.history.live import LiveStore


class Approvals:
    """Asks and takes answers, each within the transaction that notes it in the audit trail."""

    def __init__(self, store: LiveStore) -> None:
        from schedmate.graphs.approve import GRAPH
        from schedmate.graphs.checkpoints import GuestSaver

        self.store = store
        self.saver = GuestSaver(store.connection)
        store.patiently(self.saver.setup)
        self.graph = GRAPH.compile(self.saver)

    def propose(self, action: int, words: str) -> None:
        """Ask whether a step may be done; what was asked before stays as it was asked."""
        if self.waiting(action) is None:
            self.walk(action, {"action": action, "words": words})

    def waiting(self, action: int) -> Proposal | None:
        """Give the question that waits, None when there is none."""
        asked = self.graph.get_state(thread(action)).interrupts
        return asked[0].value if asked else None

    def answer(self, action: int, answer: str) -> Verdict:
        """Hand over what a person says; the question is settled then, and the trail alone remembers it."""
        from langgraph.types import Command

        verdict: Verdict = self.walk(action, Command(resume=answer))["verdict"]
        self.saver.delete_thread(thread(action)["configurable"]["thread_id"])
        return verdict

    def walk(self, action: int, given: object) -> Fields:
        """Go on until a person is needed, or the end; one checkpoint, in the transaction that is open."""
        final: Fields = self.graph.invoke(given, thread(action), durability="exit")
        return final


def thread(action: int) -> Fields:
    """Name a step's question as LangGraph wants it."""
    return {"configurable": {"thread_id": f"action-{action}"}}
