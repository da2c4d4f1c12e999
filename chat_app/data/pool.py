"""The pool of connections that is safe to leave while its connections are in use."""

from sqlalchemy.pool import ConnectionPoolEntry, QueuePool


class LeavablePool(QueuePool):
    """Keeps connections for the next one; once it is disposed of, it closes what it is given back.

    An engine takes another pool then, so that nobody would ever close what this one kept.
    """

    _sqla_logger_namespace = (
        f"{QueuePool.__module__}.{QueuePool.__qualname__}"  # else its lines would be ours
    )
    _is_left = False

    def dispose(self) -> None:
        """Close what is kept now, and from now on what comes back."""
        self._is_left = True
        super().dispose()

    def _do_return_conn(self, record: ConnectionPoolEntry) -> None:
        super()._do_return_conn(record)
        if self._is_left:  # asked only now: it may have been left while this one was on its way
            self.dispose()
