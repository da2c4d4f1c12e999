"""Notices as mails, in the language of the installation: short plain texts with one link."""

from chat_app.services.notices import Letter, Notice
from chat_app.ui.gate import Say


class Letters:
    """Words notices; call it with one."""

    def __init__(self, language: str, url: str) -> None:
        """Write in the language of a code, English when it is empty; accounts are below `url`."""
        self._code = language or "en"
        self._url = url

    def __call__(self, notice: Notice) -> Letter:
        """Return what a mail about a notice says; names are in it only where the notice has them."""
        say = Say(self._code)
        what = say(f"letter.{notice.kind}")
        named = [
            say("letter.tool", tool=notice.tool) if notice.tool else "",
            say("letter.chat", title=notice.title) if notice.title else "",
        ]
        why = say("letter.why", url=f"{self._url}/account")
        about = [one for one in named if one]
        parts = [f"{what}.", *(["\n".join(about)] if about else []), notice.link, why]
        return Letter(f"{say('app')}: {what}", "\n\n".join(parts) + "\n")
