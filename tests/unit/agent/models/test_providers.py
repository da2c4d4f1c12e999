import pytest

from chat_app.agent.models.providers import Provider, UnusableModel, dial, read_name


@pytest.mark.parametrize(
    ("name", "read"),
    [
        ("openai:gpt-5", ("openai", "gpt-5", None)),
        ("ollama:llama3:8b", ("ollama", "llama3:8b", None)),
        ("http://127.0.0.1:8080/v1#my-model", ("http", "my-model", "http://127.0.0.1:8080/v1")),
        ("https://host/v1#a/b", ("https", "a/b", "https://host/v1")),
    ],
)
def test_a_name_says_provider_model_and_address(name, read):
    assert read_name(name) == read


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("gpt-5", "is none of openai"),
        ("openai:", "names a provider and no model"),
        ("https://host/v1", "is written https://host/v1#name"),
        ("http:#m", "is written https://host/v1#name"),
    ],
)
def test_a_name_that_cannot_be_read_is_explained(name, reason):
    with pytest.raises(UnusableModel, match=reason):
        read_name(name)


def test_missing_packages_are_named():
    table = {"openai": Provider("no.such.module", "openai", "models")}
    with pytest.raises(UnusableModel, match=r"pip install '\.\[models\]'"):
        dial("openai:gpt-5", providers=table)
