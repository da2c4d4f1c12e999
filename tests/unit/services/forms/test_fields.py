from chat_app.services.forms.fields import ABSENT, Absent, Field, Form


def test_nothing_is_nothing_however_often_it_is_made():
    assert Absent() == ABSENT


def test_a_form_starts_with_nothing_to_send():
    form = Form("edit", fields=[Field("/a", "text")])
    assert not form.ready
    assert form.problems == 0
