"""Tells people of questions that wait, outside the page: by webhooks, by mail, and by what an extension adds.

What happened is written down for each target in the transaction in which it happened (`teller`), taken from there by
one worker at a time (`post`), put together anew from what is true then (`composer`), and sent by its channel. A notice
holds ids and links; names go along only where a setting allows it, and nothing that was said ever does.
"""

from chat_app.services.notices.added import add
from chat_app.services.notices.book import STATES, Line, NoticeBook, Overview, WebhookRecord, WrittenHook
from chat_app.services.notices.kinds import KINDS, Notice, Notifier, NotSent, Reader
from chat_app.services.notices.mail import Letter, MailChannel, MailServer, Write
from chat_app.services.notices.mailboxes import Mailboxes
from chat_app.services.notices.office import NoticeOffice, Plan, bare, open_office
from chat_app.services.notices.post import Post

__all__ = [
    "KINDS",
    "STATES",
    "Letter",
    "Line",
    "MailChannel",
    "MailServer",
    "Mailboxes",
    "NotSent",
    "Notice",
    "NoticeBook",
    "NoticeOffice",
    "Notifier",
    "Overview",
    "Plan",
    "Post",
    "Reader",
    "WebhookRecord",
    "Write",
    "WrittenHook",
    "add",
    "bare",
    "open_office",
]
