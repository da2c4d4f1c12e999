import pytest

from chat_app.agent.models.interface import ModelFault, ModelRequest
from chat_app.agent.models.routed import RoutedModels


class Client:
    def __init__(self):
        self.asked, self.closed, self.left = [], False, False

    async def step(self, request):
        self.asked.append(request.model)
        try:
            yield 1
            yield 2
        finally:
            self.left = True

    async def aclose(self):
        self.closed = True


def request(model):
    return ModelRequest(model=model, entries=(), tools=())


async def test_each_request_goes_to_the_client_of_its_model():
    one, two = Client(), Client()
    routed = RoutedModels({"one": one, "two": two})
    assert [piece async for piece in routed.step(request("two"))] == [1, 2]
    assert (routed.names, one.asked, two.asked) == (("one", "two"), [], ["two"])


async def test_leaving_early_stops_the_client():
    client = Client()
    stream = RoutedModels({"one": client}).step(request("one"))
    await anext(stream)
    await stream.aclose()
    assert client.left


async def test_a_model_that_is_not_there_is_a_fault():
    with pytest.raises(ModelFault, match="no model three"):
        await anext(RoutedModels({}).step(request("three")))


async def test_all_connections_are_let_go_of():
    clients = [Client(), Client()]
    await RoutedModels({str(n): client for n, client in enumerate(clients)}).aclose()
    assert all(client.closed for client in clients)
