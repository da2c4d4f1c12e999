import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import ClassVar

import pytest

from chat_app.cli.announcer import Announcer, answers


@pytest.fixture
def server():
    """A server that answers each request with the next of its statuses, the last one for ever."""

    class Handler(BaseHTTPRequestHandler):
        statuses: ClassVar[list[int]] = [200]
        paths: ClassVar[list[str]] = []

        def do_GET(self):
            self.paths.append(self.path)
            self.send_response(self.statuses.pop(0) if len(self.statuses) > 1 else self.statuses[0])
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_):
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as running:
        thread = threading.Thread(target=running.serve_forever, args=(0.01,))
        thread.start()
        yield running
        running.shutdown()
        thread.join(5)


def url(server: ThreadingHTTPServer) -> str:
    return f"http://127.0.0.1:{server.server_port}"


def test_a_server_that_is_well_answers(server):
    assert answers(url(server))
    assert server.RequestHandlerClass.paths == ["/healthz"]


def test_a_server_in_trouble_does_not(server):
    server.RequestHandlerClass.statuses = [503]
    assert not answers(url(server))


def test_no_server_does_not():
    assert not answers("http://127.0.0.1:1")


def test_ready_is_said_once_at_the_first_good_answer(server):
    server.RequestHandlerClass.statuses = [503, 503, 200]
    said = []
    thread = Announcer(url(server), lambda: said.append("ready")).start()
    thread.join(5)
    assert said == ["ready"]


def test_a_stopped_announcer_says_nothing():
    said = []
    announcer = Announcer("http://127.0.0.1:1", lambda: said.append("ready"))
    thread = announcer.start()
    announcer.stop()
    thread.join(5)
    assert (said, thread.is_alive()) == ([], False)
