"""What answers may show in a browser, as the settings have it."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Rendering:
    """`hosts` are those whose images may be shown; formulas and diagrams are drawn where they are on."""

    hosts: list[str] = field(default_factory=list)
    formulas: bool = False
    diagrams: bool = False
