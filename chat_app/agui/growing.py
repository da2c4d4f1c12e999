"""Text that grows by fragments: appended in constant time, joined when somebody reads it."""


class GrowingText:
    """A text that grows at its end in constant time."""

    __slots__ = ("_pieces", "_text")

    def __init__(self, text: str | None = None) -> None:
        self._text = text
        self._pieces: list[str] | None = None

    def add(self, delta: str) -> None:
        """Append ``delta``; a text that was absent is present afterwards."""
        if self._pieces is None:
            self._pieces = [] if self._text is None else [self._text]
        self._pieces.append(delta)

    def read(self) -> str | None:
        """Return the text so far, None when there never was any."""
        if self._pieces is not None:
            self._text, self._pieces = "".join(self._pieces), None
        return self._text
