"""The bytes of files, each content once, under the hash of it: no name from outside ever reaches the file system."""

import re
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile

_HASH = re.compile(r"[0-9a-f]{64}")


class Vault:
    """Keeps contents in a folder, which is made when the first one comes."""

    def __init__(self, folder: Path) -> None:
        """Keep contents in `folder`."""
        self._folder = folder

    def put(self, content: bytes) -> str:
        """Keep a content; returns its SHA-256 in hex. What is there already is not written again.

        Raises:
            OSError: the folder cannot be written to.
        """
        name = sha256(content).hexdigest()
        place = self.path(name)
        if not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            with NamedTemporaryFile(dir=place.parent, delete=False) as draft:
                draft.write(content)
            Path(draft.name).replace(place)
        return name

    def get(self, name: str) -> bytes | None:
        """Return a content by its hash; None when it is not there any more."""
        try:
            return self.path(name).read_bytes()
        except FileNotFoundError:
            return None

    def drop(self, name: str) -> None:
        """Forget a content, if it is there."""
        self.path(name).unlink(missing_ok=True)

    def names(self) -> list[str]:
        """Return the hashes of everything that is kept."""
        return [file.name for file in self._folder.glob("??/*") if _HASH.fullmatch(file.name)]

    def path(self, name: str) -> Path:
        """Return where a content is kept.

        Raises:
            ValueError: that is no hash.
        """
        if not _HASH.fullmatch(name):
            raise ValueError("not a hash")
        return self._folder / name[:2] / name
