"""What a person does to a form besides typing: add an item, take one away. Keys of what follows move with it."""

from collections.abc import Mapping

from chat_app.services.forms.reading import MOST_ITEMS, inner


def act_on(entries: Mapping[str, str], act: str, key: str) -> dict[str, str]:
    """Return the entries after `add` (an item to the list `key`) or `remove` (of the item `key`).

    Any other act changes nothing.
    """
    if act == "add":
        return {**entries, key: str(min(_count(entries, key) + 1, MOST_ITEMS))}
    if act == "remove":
        return _without(entries, key)
    return dict(entries)


def _count(entries: Mapping[str, str], key: str) -> int:
    text = entries.get(key, "")
    return int(text) if text.isascii() and text.isdigit() else 0


def _without(entries: Mapping[str, str], key: str) -> dict[str, str]:
    held, _, last = key.rpartition("/")
    count = _count(entries, held)
    if not (last.isascii() and last.isdigit()) or int(last) >= count:
        return dict(entries)
    kept = {known: text for known, text in entries.items() if not _is_in(known, key)}
    for place in range(int(last) + 1, count):
        kept = {
            _moved(known, inner(held, place), inner(held, place - 1)): text for known, text in kept.items()
        }
    return {**kept, held: str(count - 1)}


def _is_in(known: str, key: str) -> bool:
    return known == key or known.startswith((f"{key}/", f"{key}|"))


def _moved(known: str, old: str, new: str) -> str:
    return new + known[len(old) :] if _is_in(known, old) else known
