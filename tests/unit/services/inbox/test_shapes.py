"""What the inbox shows can be sent as it is."""

import json
from dataclasses import asdict

from chat_app.services.inbox import Opened, Page, Query


def test_an_empty_page_is_json():
    assert json.loads(json.dumps(asdict(Page())))["opened"]["row"]["kind"] == "approval"


def test_a_query_asks_for_everything_one_may_decide():
    assert (Query().tab, Query().limit, Opened().id) == ("all", 50, "")
