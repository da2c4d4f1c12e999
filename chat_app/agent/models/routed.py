"""Several models as one client: each request goes to the client of the model it names."""

from collections.abc import AsyncGenerator, Mapping

from chat_app.agent.models.interface import ModelClient, ModelFault, ModelRequest, Piece

NO_MODEL = "MODEL_UNKNOWN"


class RoutedModels:
    """Reaches every model of a table, so that a swap needs no other client.

    Args:
        clients: By the name a request uses.
    """

    def __init__(self, clients: Mapping[str, ModelClient]) -> None:
        self._clients = dict(clients)

    @property
    def names(self) -> tuple[str, ...]:
        """The models there are, in the order of the configuration."""
        return tuple(self._clients)

    async def step(self, request: ModelRequest) -> AsyncGenerator[Piece, None]:
        """Stream one step of the model the request names.

        Raises:
            ModelFault: there is no such model, or it cannot answer.
        """
        client = self._clients.get(request.model)
        if client is None:
            raise ModelFault(f"There is no model {request.model}.", code=NO_MODEL)
        stream = client.step(request)
        try:
            async for piece in stream:
                yield piece
        finally:
            await stream.aclose()

    async def aclose(self) -> None:
        """Let go of all connections."""
        for client in self._clients.values():
            await client.aclose()
