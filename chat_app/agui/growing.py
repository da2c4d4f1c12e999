"""Text that grows by fragments: appended in constant time, joined when somebody reads it."""

from dataclasses import dataclass


@dataclass(slots=True, eq=False, kw_only=True)
class GrowingText:
    """A text that grows at its end. What has one text is one: that spares an object per message.

    >>> text = GrowingText()
    >>> text.add("Hel"), text.add("lo"), text.read()
    (None, None, 'Hello')
    """

    text: str | None = None
    pieces: list[str] | None = None

    def add(self, delta: str) -> None:
        """Append ``delta``; a text that was absent is present afterwards."""
        if self.pieces is None:
            self.pieces = [] if self.text is None else [self.text]
        self.pieces.append(delta)

    def read(self) -> str | None:
        """Return the text so far, None when there never was any."""
        if self.pieces is not None:
            self.text, self.pieces = "".join(self.pieces), None
        return self.text

    def become(self, text: str | None) -> None:
        """Hold another text."""
        self.text, self.pieces = text, None
