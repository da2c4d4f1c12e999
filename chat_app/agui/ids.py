"""Ids made on this side: counted per thread, and never one the thread has seen."""

from collections.abc import Callable


class Ids:
    """Makes the run and message ids of one thread.

    Without a maker they count: ``{thread}-run-1``, ``{thread}-msg-1``. Whoever restores a thread tells
    every id it finds, so that none is used twice.

    >>> ids = Ids("t")
    >>> ids.seen("t-msg-1")
    >>> ids.message(), ids.message(), ids.run()
    ('t-msg-2', 't-msg-3', 't-run-1')
    """

    def __init__(self, thread_id: str, new_id: Callable[[], str] | None = None) -> None:
        self._thread_id = thread_id
        self._new_id = new_id
        self._seen: set[str] = set()
        self._counts = {"run": 0, "msg": 0}

    def seen(self, taken: str) -> None:
        """Note an id that is in use on the thread."""
        self._seen.add(taken)

    def is_seen(self, taken: str) -> bool:
        """Tell whether an id is in use on the thread."""
        return taken in self._seen

    def skip_runs(self, count: int) -> None:
        """Count from behind ``count`` runs: not every run leaves its id in a log."""
        self._counts["run"] += count

    def run(self) -> str:
        """Return a new run id."""
        return self._next("run")

    def message(self) -> str:
        """Return a new message id."""
        return self._next("msg")

    def _next(self, kind: str) -> str:
        while True:
            made = self._new_id() if self._new_id is not None else self._counted(kind)
            if made not in self._seen:
                self._seen.add(made)
                return made

    def _counted(self, kind: str) -> str:
        self._counts[kind] += 1
        return f"{self._thread_id}-{kind}-{self._counts[kind]}"
