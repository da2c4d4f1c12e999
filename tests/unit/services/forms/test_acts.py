from chat_app.services.forms import act_on
from chat_app.services.forms.reading import MOST_ITEMS

LIST = {
    "/a": "3",
    "/a/0": "x",
    "/a/1": "y",
    "/a/1/n": "1",
    "/a/2": "z",
    "/a/2|0": "w",
    "/b": "kept",
    "/a/10": "far",
}


def test_an_item_is_added_at_the_end():
    assert act_on({"/a": "1"}, "add", "/a") == {"/a": "2"}
    assert act_on({}, "add", "/a") == {"/a": "1"}


def test_a_list_ends_somewhere():
    assert act_on({"/a": str(MOST_ITEMS)}, "add", "/a") == {"/a": str(MOST_ITEMS)}


def test_what_follows_a_removed_item_moves_up_with_all_that_is_in_it():
    assert act_on(LIST, "remove", "/a/1") == {
        "/a": "2",
        "/a/0": "x",
        "/a/1": "z",
        "/a/1|0": "w",
        "/b": "kept",
        "/a/10": "far",
    }


def test_a_key_that_names_no_item_removes_nothing():
    assert act_on(LIST, "remove", "/a/3") == LIST
    assert act_on(LIST, "remove", "/a/x") == LIST
    assert act_on(LIST, "surprise", "/a") == LIST
