import pytest

from chat_app.services.a2ui import DEEPEST, MOST, surface


def components(*parts: tuple[str, str, dict], **more) -> dict:
    listed = [{"id": key, "component": {kind: told}} for key, kind, told in parts]
    return {"surfaceUpdate": {"surfaceId": "s", "components": listed, **more}}


def shown(*operations: dict):
    return surface({"operations": list(operations)})


def literal(text: str) -> dict:
    return {"literalString": text}


def test_boxes_hold_what_they_list_in_order():
    tree = shown(
        components(
            ("root", "Column", {"children": {"explicitList": ["title", "line", "gone"]}}),
            ("title", "Text", {"text": literal("Workshop"), "usageHint": "h2"}),
            ("line", "Text", {"text": literal("Open")}),
        ),
        {"beginRendering": {"surfaceId": "s", "root": "root"}},
    )
    assert tree == {
        "kind": "column",
        "children": [{"kind": "heading", "text": "Workshop"}, {"kind": "text", "text": "Open"}],
    }


def test_texts_are_bound_to_the_data_whenever_it_comes():
    parts = components(("root", "Text", {"text": {"path": "/orders/0"}}))
    data = {
        "dataModelUpdate": {
            "contents": [{"key": "orders", "valueMap": [{"key": "0", "valueString": "Wheel"}]}]
        }
    }
    assert shown(parts) == {"kind": "text", "text": ""}
    assert shown(parts, data) == {"kind": "text", "text": "Wheel"}


def test_data_can_be_set_at_a_place():
    parts = components(("root", "Text", {"text": {"path": "/a/b"}}))
    update = {"updateDataModel": {"path": "/a", "value": {"b": True}}}
    assert shown(parts, update) == {"kind": "text", "text": "true"}


def test_a_list_repeats_its_template_for_each_item():
    parts = components(
        ("root", "List", {"children": {"template": {"componentId": "item", "dataBinding": "/items"}}}),
        ("item", "Card", {"child": "name"}),
        ("name", "Text", {"text": {"path": "name"}}),
    )
    data = {"updateDataModel": {"value": {"items": [{"name": "a"}, {"name": 2}]}}}
    assert shown(parts, data) == {
        "kind": "list",
        "children": [{"kind": "card", "children": [{"kind": "text", "text": text}]} for text in ("a", "2")],
    }


def test_a_newer_way_of_writing_components_is_read_too():
    parts = {
        "updateComponents": {
            "components": [
                {"id": "root", "component": "Row", "children": ["t"]},
                {"id": "t", "component": "Text", "text": "Hi", "variant": "h1"},
            ]
        }
    }
    assert shown(parts) == {"kind": "row", "children": [{"kind": "heading", "text": "Hi"}]}


def test_a_button_is_named_by_its_label_or_by_what_it_holds():
    parts = components(
        ("root", "Row", {"children": {"explicitList": ["a", "b", "c"]}}),
        ("a", "Button", {"label": literal("Refresh")}),
        ("b", "Button", {"child": "t"}),
        ("c", "Button", {}),
        ("t", "Text", {"text": literal("Close")}),
    )
    assert [child["text"] for child in shown(parts)["children"]] == ["Refresh", "Close", ""]


@pytest.mark.parametrize(
    ("url", "kept"),
    [
        ("https://pictures.test/a.png", "https://pictures.test/a.png"),
        ("http://pictures.test/a.png", ""),
        ("javascript:alert(1)", ""),
        ("https://[", ""),
    ],
)
def test_only_pictures_from_an_https_address_are_named(url, kept):
    tree = shown(components(("root", "Image", {"url": literal(url), "alt": literal("A wheel")})))
    assert tree == {"kind": "image", "url": kept, "text": "A wheel"}


def test_what_nobody_knows_stands_as_its_name_with_what_it_holds():
    parts = components(("root", "Carousel", {"children": ["t"]}), ("t", "Divider", {}))
    assert shown(parts) == {"kind": "unknown", "text": "Carousel", "children": [{"kind": "divider"}]}


@pytest.mark.parametrize(
    "content", [{}, {"operations": "no"}, {"operations": [{"surfaceUpdate": 1}]}, {"operations": [{}]}]
)
def test_what_describes_nothing_is_no_surface(content):
    assert surface(content) is None


def test_a_surface_that_holds_itself_ends():
    depth, tree = 0, shown(components(("root", "Column", {"children": ["root"]})))
    while tree["children"]:
        depth, tree = depth + 1, tree["children"][0]
    assert depth == DEEPEST


def test_what_is_bound_to_nothing_is_an_empty_text():
    for told in ({"path": "/a/9"}, {"path": 3}, ["x"], None, {"path": "/a/x"}):
        parts = components(("root", "Text", {"text": told}))
        assert shown(parts, {"updateDataModel": {"value": {"a": [1]}}}) == {"kind": "text", "text": ""}


def test_an_item_of_a_list_is_bound_by_its_number():
    parts = components(("root", "Text", {"text": {"path": "/a/0"}}))
    assert shown(parts, {"updateDataModel": {"value": {"a": [1.5]}}}) == {"kind": "text", "text": "1.5"}


def test_components_without_an_id_or_a_kind_and_templates_of_nothing_are_passed_over():
    listed = [
        {"component": {"Text": {}}},
        {
            "id": "root",
            "component": {"List": {"children": {"template": {"componentId": "no", "dataBinding": "/a"}}}},
        },
        {"id": "odd", "component": 3},
    ]
    data = {"updateDataModel": {"value": {"a": [1]}}}
    assert shown({"surfaceUpdate": {"components": listed}}, data) == {"kind": "list", "children": []}
    assert shown({"surfaceUpdate": {"components": [{"id": "root", "component": 3}]}}) == {
        "kind": "unknown",
        "text": "",
        "children": [],
    }


def test_a_huge_surface_is_cut():
    parts = components(("root", "Column", {"children": ["t"] * (2 * MOST)}), ("t", "Divider", {}))
    assert len(shown(parts)["children"]) == MOST - 1
