import pytest

from tests.support.agent_harness import conversation, person


def call(call_id, name="look_up_order", arguments="{}"):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def calling(*calls, key="a1"):
    return {"id": key, "role": "assistant", "toolCalls": list(calls)}


def answering(call_id, content, key="t1"):
    return {"id": key, "role": "tool", "toolCallId": call_id, "content": content}


def test_ids_are_the_clients():
    subject = conversation("hi", threadId="t", runId="r")
    assert (subject.thread_id, subject.run_id) == ("t", "r")


@pytest.mark.parametrize(
    ("version", "declares"),
    [(None, False), ("0.1", False), ("1.0", True), ("1.10", True), ("2.0", True), ("newest", True)],
)
def test_the_protocol_version_is_read_by_its_grammar(version, declares):
    fields = {} if version is None else {"protocolVersion": version}
    assert conversation("hi", **{"protocolVersion": None, **fields}).declares_1_0 is declares


def test_the_last_line_is_the_persons_newest_text():
    assert conversation([person("one"), calling(), person("two", key="u2")]).last_line == "two"
    assert conversation([]).last_line == ""


def test_the_text_of_parts_is_what_counts_of_them():
    picture = {"type": "image", "source": {"type": "url", "value": "https://example.org/a.png"}}
    parts = [{"type": "text", "text": "look"}, picture, {"type": "text", "text": "here"}]
    assert conversation([{"id": "u1", "role": "user", "content": parts}]).last_line == "look\nhere"


def test_calls_are_found_with_their_answers_and_whether_they_are_fresh():
    subject = conversation(
        [
            person("one"),
            calling(call("c1")),
            answering("c1", "done"),
            person("two", key="u2"),
            calling(call("c2", arguments="{"), call("c3", name="other"), key="a2"),
        ]
    )
    found = [(one.id, one.answer, one.fresh) for one in subject.calls]
    assert found == [("c1", "done", False), ("c2", None, True), ("c3", None, True)]
    assert [one.arguments for one in subject.fresh_calls("look_up_order")] == ["{"]


def test_a_history_without_a_person_has_only_fresh_calls():
    assert conversation([calling(call("c1"))]).calls[0].fresh


def test_words_are_counted_over_the_whole_history():
    assert conversation([person("one two"), calling(call("c1")), answering("c1", "three")]).words() == 3


def test_no_answers_came_along_unless_they_did():
    assert conversation("hi").resume == ()
    entry = {"interruptId": "q1", "status": "cancelled"}
    assert [one.interrupt_id for one in conversation("hi", resume=[entry]).resume] == ["q1"]


def test_what_the_client_offers_and_holds_is_read():
    tool = {"name": "show_card", "description": "", "parameters": {}}
    subject = conversation("hi", tools=[tool], state={"app": [1], "mode": "chat"})
    assert subject.offers("show_card")
    assert not subject.offers("other")
    assert subject.app == [1]
    assert [conversation("hi", state=state).app for state in ({}, [1], None, "x")] == [None] * 4
    assert not conversation("hi", tools=None).tools


def test_attachments_are_those_of_the_newest_line():
    picture = {"type": "image", "source": {"type": "url", "value": "https://example.org/a.png"}}
    line = {"id": "u1", "role": "user", "content": [{"type": "text", "text": "look"}, picture]}
    assert [part.type for part in conversation([line]).attachments] == ["image"]
    assert conversation([line, person("and?", key="u2")]).attachments == ()
    assert conversation([]).attachments == ()


@pytest.mark.parametrize(
    ("version", "newer"),
    [
        (None, False),
        ("0.1", False),
        ("1.0", False),
        ("1.1", True),
        ("1.10", True),
        ("2.0", True),
        ("new", True),
    ],
)
def test_a_version_this_agent_does_not_know_is_noticed(version, newer):
    assert conversation("hi", protocolVersion=version).is_newer is newer
