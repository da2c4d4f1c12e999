"""Say that the server is ready when it is: not when it was started, but when it answers."""

import http
import http.client
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from urllib.parse import urlsplit

LOOK_EVERY_S = 0.05
ANSWER_WITHIN_S = 5.0
ALIVE = "/healthz"


@dataclass(slots=True)
class Announcer:
    """Looks for the server in a thread of its own and calls `ready` once, when it first answers."""

    url: str
    ready: Callable[[], None]
    _stopped: threading.Event = field(default_factory=threading.Event)

    def start(self) -> threading.Thread:
        """Begin to look."""
        thread = threading.Thread(target=self._look, name="announcer", daemon=True)
        thread.start()
        return thread

    def stop(self) -> None:
        """Look no more."""
        self._stopped.set()

    def _look(self) -> None:
        while not self._stopped.is_set():
            if answers(self.url):
                self.ready()
                return
            self._stopped.wait(LOOK_EVERY_S)


def answers(url: str) -> bool:
    """Tell whether a server at this address is up and says so."""
    place = urlsplit(url)
    connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=ANSWER_WITHIN_S)
    try:
        connection.request("GET", ALIVE)
        return connection.getresponse().status < http.HTTPStatus.INTERNAL_SERVER_ERROR
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
