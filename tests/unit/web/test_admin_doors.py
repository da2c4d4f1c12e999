from typing import get_args

from chat_app.web.admin_doors import AdminPage


def test_every_page_is_a_record_that_cannot_be_changed():
    assert all(page.__dataclass_params__.frozen for page in get_args(AdminPage))
