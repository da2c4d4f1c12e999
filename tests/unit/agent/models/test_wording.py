import pytest
from pydantic_ai.messages import (
    BinaryContent,
    DocumentUrl,
    ImageUrl,
    ModelRequest,
    ModelResponse,
    TextPart,
    ThinkingPart,
    ToolCallPart,
    VideoUrl,
)

from chat_app.agent.models.wording import argument_text, definitions, messages, name_table, replay_of
from chat_app.agent.servers import ToolSpec
from chat_app.agent.transcript import (
    AssistantEntry,
    Attachment,
    SystemEntry,
    ToolCall,
    ToolEntry,
    UserEntry,
)

CALL = ToolCall("c1", "db.query", '{"q": 1}')


def worded(*entries):
    return messages(entries, name_table(entries, ()))


def test_neighbours_of_one_side_become_one_message():
    request, response, answered = worded(
        SystemEntry("Be."),
        UserEntry("Hi"),
        AssistantEntry("On it.", calls=(CALL,)),
        ToolEntry("c1", "db.query", "7"),
        UserEntry("And?"),
    )
    assert [len(message.parts) for message in (request, response, answered)] == [2, 2, 2]
    assert isinstance(request, ModelRequest)
    assert response.parts[1].tool_name == "db_query"
    assert answered.parts[0].outcome == "success"


def test_a_failed_call_is_marked_and_one_without_arguments_has_none():
    response, request = worded(
        AssistantEntry(calls=(ToolCall("c1", "x", ""),)), ToolEntry("c1", "x", "boom", is_error=True)
    )
    assert response.parts[0].args == "{}"
    assert request.parts[0].outcome == "failed"


@pytest.mark.parametrize(
    ("attachment", "kind"),
    [
        (Attachment("image/png", url="https://x/y"), ImageUrl),
        (Attachment("video/mp4", url="https://x/y"), VideoUrl),
        (Attachment("application/pdf", url="https://x/y.pdf"), DocumentUrl),
        (Attachment("application/pdf", data="AAAA"), BinaryContent),
    ],
)
def test_attachments_travel_by_kind(attachment, kind):
    (request,) = worded(UserEntry("", (attachment,)))
    assert isinstance(request.parts[0].content[0], kind)


def test_a_step_is_replayed_with_everything_its_provider_sent_under_our_ids():
    sent = ModelResponse(
        [
            ThinkingPart("hm", signature="s"),
            TextPart("Hi"),
            ToolCallPart("db_query", "{}", "theirs"),
            ToolCallPart("db_query", "{}", "more"),
        ]
    )
    (response,) = worded(AssistantEntry("Hi", calls=(CALL,), replay=replay_of(sent)))
    assert response.parts[0].signature == "s"
    assert [part.tool_call_id for part in response.parts[2:]] == ["c1", "more"]


@pytest.mark.parametrize(("given", "text"), [(None, ""), ("{", "{"), ({"ä": 1}, '{"ä": 1}')])
def test_arguments_are_text_whatever_form_they_come_in(given, text):
    assert argument_text(given) == text


def test_tools_are_described_as_their_owner_does():
    tool = ToolSpec(name="db.query", description="Q.", parameters={"type": "object", "required": ["q"]})
    (definition,) = definitions([tool], name_table((), [tool]))
    assert (definition.name, definition.description) == ("db_query", "Q.")
    assert definition.parameters_json_schema["required"] == ["q"]
