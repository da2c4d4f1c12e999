import pytest

from chat_app.services.sniffing import LONGEST_NAME, label, media_type, modality


@pytest.mark.parametrize(
    ("content", "found", "kind"),
    [
        (b"\x89PNG\r\n\x1a\n...", "image/png", "image"),
        (b"\xff\xd8\xff\xe0", "image/jpeg", "image"),
        (b"RIFF0000WEBP", "image/webp", "image"),
        (b"RIFF0000WAVE", "audio/wav", "audio"),
        (b"0000ftypisom", "video/mp4", "video"),
        (b"%PDF-1.7", "application/pdf", "pdf"),
        (b"PK\x03\x04", "application/zip", "file"),
        (b"<html><script>", "text/plain", "file"),
        ("größe".encode(), "text/plain", "file"),
        (b"", "text/plain", "file"),
        (b"a\x00b", "application/octet-stream", "file"),
        (b"\xff\xff", "application/octet-stream", "file"),
    ],
)
def test_a_file_is_what_its_bytes_say(content, found, kind):
    assert media_type(content) == found
    assert modality(found) == kind


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("..", "file"),
        ("./../.", "file"),
        ("..\\", "file"),
        ("/etc/passwd", "passwd"),
        ("a/b/../../x.png", "x.png"),
        ("C:\\temp\\x.png", "x.png"),
        ("con.txt", "con.txt"),
        (".htaccess", "htaccess"),
        ("x.png\x00.html", "x.png.html"),
        ("photo\u202egpj.exe", "photogpj.exe"),
        ("", "file"),
        (" ", "file"),
        ("report.pdf", "report.pdf"),
    ],
)
def test_a_name_is_a_harmless_label(name, expected):
    assert label(name) == expected


def test_a_long_name_keeps_its_beginning_and_its_end():
    found = label("a" * 300 + ".txt")
    assert len(found) == LONGEST_NAME
    assert found.endswith(".txt")
