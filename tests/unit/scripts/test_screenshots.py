from scripts.screenshots import IMAGES, PICTURES


def test_every_picture_has_a_name_of_its_own():
    assert len({picture.name for picture in PICTURES}) == len(PICTURES)


def test_the_pages_people_ask_about_are_among_them():
    assert {"chat", "approval", "panel", "phone"} <= {picture.name for picture in PICTURES}


def test_pictures_go_where_the_readme_looks_for_them():
    readme = (IMAGES.parents[1] / "README.md").read_text("utf-8")
    shown = {picture.name for picture in PICTURES if f"docs/images/{picture.name}.png" in readme}
    assert len(shown) >= 2
