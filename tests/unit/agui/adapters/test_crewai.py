from chat_app.agui.adapters.crewai import SHAPE
from chat_app.agui.events import Interrupt


def test_feedback_wants_words_and_cancelling_it_may_mean_yes():
    assert SHAPE.fits(Interrupt(id="i", reason="crewai:human_feedback"))
    assert not SHAPE.fits(Interrupt(id="i", reason="confirmation"))
    assert SHAPE.approve is SHAPE.reject is None
    assert not SHAPE.cancel_is_safe
