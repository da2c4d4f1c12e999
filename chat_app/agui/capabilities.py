"""What an agent declares it can do: information for a page, never a condition.

The protocol defines the shape and no way to ask for it. What is not declared is unknown, not missing;
a declaration that is broken is not used, and nothing is refused over one.
"""

from collections.abc import Callable

from ag_ui.core import AgentCapabilities
from pydantic import JsonValue

from chat_app.agui.enforcement import enforce_model
from chat_app.agui.errors import BadEvent
from chat_app.agui.updates import Diagnostic


def read_capabilities(
    declared: JsonValue, report: Callable[[Diagnostic], None] = lambda _: None
) -> AgentCapabilities | None:
    """Return what an agent declares, None when the declaration is broken.

    Unknown members are left out; ``custom`` and the identity's metadata are kept as they are.

    >>> found = read_capabilities({"tools": {"parallelCalls": True}, "fancy": 1})
    >>> found.tools.parallel_calls, found.tools.supported, found.state
    (True, None, None)
    """
    try:
        return enforce_model(AgentCapabilities, declared, name="AgentCapabilities", report=report)
    except BadEvent as error:
        report(Diagnostic("capabilities", f"The declaration is not used: {error.message}", path=error.path))
        return None
