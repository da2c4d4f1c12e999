"""How a report that AG-UI has no event for travels: as CUSTOM, its fields in the wire's spelling."""

from dataclasses import fields
from typing import Any

from ag_ui.core import CustomEvent
from pydantic.alias_generators import to_camel


def custom(name: str, event: object, **more: str) -> CustomEvent:
    """Wrap a report, which is a dataclass, under a name.

    Its ``detail``, the free part of some reports, stands at the top and never hides another field. What has no
    value is left out.
    """
    return CustomEvent(name=name, value={**_value(event), **more})


def _value(event: Any) -> dict[str, Any]:
    found = {field.name: getattr(event, field.name) for field in fields(event)}
    detail = found.pop("detail", {})
    return {**detail, **{to_camel(name): value for name, value in found.items() if value not in (None, "")}}
