"""Words of sign-in and of a person's own account."""

from typing import Final

from chat_app.ui.words.form import Words

WORDS: Final[Words] = {
    "gate.sign_in": "Sign in",
    "gate.name": "Name or e-mail",
    "gate.password": "Password",
    "gate.or": "or",
    "gate.provider": "Continue with {name}",
    "gate.no_account": "No account? Accounts are made by invitation. Ask your admin for a link.",
    "gate.motto": "Agents propose, people decide. Parley keeps what was asked, who answered and what happened then.",
    "gate.join": "Make your account",
    "gate.first_admin": "Make the first account",
    "gate.first_admin.detail": "It can do everything. The link works once.",
    "gate.reset": "Set a new password",
    "gate.for": "For {name}.",
    "gate.new_password": "New password",
    "gate.rule": "At least 10 characters.",
    "gate.make": "Make account",
    "gate.set": "Set password",
    "gate.over": "This link does not work any more",
    "gate.over.detail": "It was used, or its time is over. Ask your admin for a new one.",
    "gate.tries": "{count} tries left.",
    "gate.wait": "Try again in {count} seconds.",
    "gate.trouble.WrongPassword": "Name and password do not match.",
    "gate.trouble.TooFast": "That was tried too often.",
    "gate.trouble.WeakPassword": "Choose another password: 10 to 500 characters, and not the name.",
    "gate.trouble.NameTaken": "This name is taken.",
    "gate.trouble.BadName": "This name cannot be used.",
    "gate.trouble.ProviderFailed": "You were not signed in. Try again, or ask your admin.",
    "gate.trouble.Refused": "That is not there any more.",
    "account.title": "Your account",
    "account.signed_in": "Signed in as {name}.",
    "account.roles": "Roles: {roles}.",
    "account.back": "Back to the chats",
    "account.sign_ins": "Where you are signed in",
    "account.this": "This browser",
    "account.unknown": "A browser",
    "account.last_seen": "last used",
    "account.end": "Sign out",
    "account.end.of": "Sign out {device}",
    "account.end_others": "Sign out everywhere else",
    "account.password": "Change your password",
    "account.old_password": "Password now",
    "account.change": "Change password",
    "account.changed": "Your password is changed. Other browsers were signed out.",
    "account.ended": "That browser is signed out.",
    "account.single": "This Parley has one person and no accounts. Turn them on with PARLEY_SIGN_IN.",
    "account.open": "Your account",
}

# What the files of the browser say by themselves, under the names they use.
BROWSER: Final[Words] = {}
