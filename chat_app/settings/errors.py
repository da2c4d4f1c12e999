"""The one error of the settings: its text is the sentence for the person who configured them."""


class SettingsError(Exception):
    """A setting that cannot be used; the message names it and says what would be right."""
