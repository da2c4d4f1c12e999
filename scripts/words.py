"""Keep the catalogs of other languages in step with the words in `chat_app/ui/words`: `make words`.

What is new in the tables is added to `locales/*.po` without a translation, what has gone is dropped, and each
catalog is compiled to the JSON a page loads. A translation that is missing or fuzzy stays out: the page then shows
English. Prints what is missing; `--check` changes nothing and fails when a file would change or a word is missing.
"""

import io
import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from babel.messages import pofile
from babel.messages.catalog import Catalog, Message

from chat_app.ui.words import AREAS
from chat_app.ui.words.catalogs import ENGLISH, LANGUAGES, LOCALES
from chat_app.ui.words.form import Plural

# In the order of a catalog's plural forms: the categories of CLDR the browser chooses by.
FORMS: Final[Mapping[str, tuple[str, ...]]] = {
    "de": ("one", "other"),
    "ar": ("zero", "one", "two", "few", "many", "other"),
}
BROWSER: Final = "browser."
"""Before the names of words that the files of the browser say by themselves."""


def template() -> Catalog:
    """Return every word of the tables: its name as context, its English, its area as comment."""
    made = Catalog(fuzzy=False)
    for area in AREAS:
        comment = [area.__name__.rpartition(".")[2]]
        tables = ((name, words) for name, words in area.WORDS.items())
        spoken = ((BROWSER + name, words) for name, words in area.BROWSER.items())
        for name, words in (*tables, *spoken):
            text = (words.one, words.other) if isinstance(words, Plural) else words
            made.add(text, context=name, auto_comments=comment)
    return made


def updated(code: str, before: bytes) -> Catalog:
    """Return the catalog of language `code`, read from `before`, with exactly the words of the tables."""
    catalog = pofile.read_po(io.BytesIO(before), locale=code) if before else Catalog(code, fuzzy=False)
    catalog.update(template(), no_fuzzy_matching=True)
    catalog.obsolete.clear()
    return catalog


def written(catalog: Catalog) -> bytes:
    """Return `catalog` as a .po file, the same for the same words."""
    output = io.BytesIO()
    pofile.write_po(output, catalog, width=110, omit_header=False, sort_output=False)
    kept = [line for line in output.getvalue().splitlines() if not line.startswith(_OF_THE_DAY)]
    return b"\n".join(kept).strip() + b"\n"


_OF_THE_DAY: Final = (b'"POT-Creation-Date', b'"PO-Revision-Date', b'"Generated-By', b"# ")


def forms(message: Message) -> tuple[str, ...]:
    """Return the translation, one text for each form; none when it is missing, or fuzzy, or lacks a form."""
    string = message.string
    given = tuple(string) if isinstance(string, tuple | list) else (string or "",)
    return () if message.fuzzy or not all(given) else given


def compiled(code: str, catalog: Catalog) -> bytes:
    """Return what the page loads: words by name, plurals by category."""
    told = {str(each.context): _told(code, each) for each in catalog if each.id and forms(each)}
    return json.dumps(told, ensure_ascii=False, indent=1, sort_keys=True).encode() + b"\n"


def _told(code: str, message: Message) -> str | dict[str, str]:
    if isinstance(message.id, tuple | list):
        return dict(zip(FORMS[code], forms(message), strict=True))
    return forms(message)[0]


def missing(catalog: Catalog) -> list[str]:
    """Return the names of the words without a translation."""
    return [str(message.context) for message in catalog if message.id and not forms(message)]


def main(arguments: list[str]) -> int:
    """Bring the files up to date, or say what is not."""
    check = "--check" in arguments
    lacking = 0
    for code in (language.code for language in LANGUAGES if language is not ENGLISH):
        po, out = LOCALES / f"{code}.po", LOCALES / f"{code}.json"
        catalog = updated(code, po.read_bytes() if po.exists() else b"")
        lacking += _report(code, missing(catalog))
        for path, content in ((po, written(catalog)), (out, compiled(code, catalog))):
            lacking += _store(path, content, check=check)
    return 1 if check and lacking else 0


def _report(code: str, names: list[str]) -> int:
    for name in names:
        print(f"{code}: no words for {name}")
    return len(names)


def _store(path: Path, content: bytes, *, check: bool) -> int:
    if path.exists() and path.read_bytes() == content:
        return 0
    if check:
        print(f"{path.name} is not up to date: make words")
        return 1
    path.write_bytes(content)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
