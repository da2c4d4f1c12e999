"""Everything a person can configure, read once at start into one frozen record.

Front door: `load_settings()` for the process, `read_settings(…)` when the caller brings the environment and
wants to know where each value came from, `with_agent_token` for the secret of the embedded agent.
"""

from chat_app.settings.errors import SettingsError
from chat_app.settings.load import Loaded, load_settings, read_settings
from chat_app.settings.model import PROJECT_ROOT, Settings
from chat_app.settings.named_agents import NamedAgent
from chat_app.settings.overview import Line, lines
from chat_app.settings.text import is_mail_address
from chat_app.settings.token import kept_key, with_agent_token
from chat_app.settings.tool_servers import ToolServer

__all__ = [
    "PROJECT_ROOT",
    "Line",
    "Loaded",
    "NamedAgent",
    "Settings",
    "SettingsError",
    "ToolServer",
    "is_mail_address",
    "kept_key",
    "lines",
    "load_settings",
    "read_settings",
    "with_agent_token",
]
