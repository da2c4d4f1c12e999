from chat_app.agent.models.interface import ModelFault


def test_a_fault_does_not_pass_unless_it_says_so():
    fault = ModelFault("No.", code="X")
    assert (str(fault), fault.passing, fault.retry_after) == ("No.", False, None)
