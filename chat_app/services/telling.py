"""How use cases say that something happened to a question, not knowing who is told of it and by what."""

from typing import Protocol

from sqlalchemy.orm import Session

from chat_app.data.records import InterruptRecord, NoticeKind


class Tell(Protocol):
    """Tells people of a question, in the transaction of what happened; the second time nothing is told."""

    def __call__(
        self, session: Session, kind: NoticeKind, asked: InterruptRecord, /, *, by: str = "", to: str = ""
    ) -> None:
        """Tell that `kind` happened to `asked`: done by the person `by`, given to the person `to`."""


def nobody(
    session: Session, kind: NoticeKind, asked: InterruptRecord, /, *, by: str = "", to: str = ""
) -> None:
    """Tell nobody."""
    del session, kind, asked, by, to
