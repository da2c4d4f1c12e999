"""The languages of the page: their names, directions, and the compiled catalogs the browser loads.

English is in the page itself, so its catalog is empty. A word that a catalog lacks is shown in English.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

LOCALES: Final = Path(__file__).parent / "locales"


@dataclass(frozen=True, slots=True)
class Language:
    """A language: its code, its own name for itself, and its direction of writing."""

    code: str
    name: str
    direction: str = "ltr"


ENGLISH: Final = Language("en", "English")
LANGUAGES: Final = (ENGLISH, Language("de", "Deutsch"), Language("ar", "العربية", "rtl"))


def catalog(language: Language) -> Mapping[str, str | Mapping[str, str]]:
    """Return the words of `language` by name, with the forms of a plural by their category.

    Raises:
        OSError, ValueError: The catalog is missing or no JSON.
    """
    if language is ENGLISH:
        return {}
    compiled: dict[str, str | dict[str, str]] = json.loads(
        (LOCALES / f"{language.code}.json").read_text("utf-8")
    )
    return compiled


def scripts() -> dict[str, bytes]:
    """Return for each language the script that a page runs before anything is drawn."""
    return {language.code: _script(language) for language in LANGUAGES}


def _script(language: Language) -> bytes:
    told = {"lang": language.code, "dir": language.direction, "words": catalog(language)}
    return _SCRIPT.replace("TOLD", json.dumps(told, ensure_ascii=False, separators=(",", ":"))).encode()


# What is pre-rendered is English: any other language keeps it out of sight until its own words stand there.
_SCRIPT: Final = """(() => {
  const told = TOLD, page = document.documentElement;
  window.parleyWords = told;
  page.lang = told.lang;
  page.dir = told.dir;
  if (told.lang !== "en") page.dataset.words = "coming";
})();
"""
