from chat_app.services.rendering import Rendering


def test_answers_show_neither_strangers_images_nor_anything_drawn_unless_asked():
    assert Rendering() == Rendering(hosts=[], formulas=False, diagrams=False)
