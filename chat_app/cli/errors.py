"""The one error of the commands."""


class Stop(Exception):  # noqa: N818 - it is no fault of the program but the end of a command
    """A reason to end a command; the message is the sentence for the person at the terminal."""
