"""The agent that is in the box: an ASGI app that speaks AG-UI and imports nothing of ours.

Every chat with it goes over HTTP and SSE, like a chat with any other agent, so each of them proves the wire.
An event travels ``scenarios`` → ``turn`` → ``renderer`` → ``outbox`` → ``stream``:

- a scenario works one *turn* and reports it in ``turn_events``, through the writers of ``turn``;
- the ``renderer`` turns those reports into AG-UI events in an order every client accepts;
- ``stream`` sends them, keeps the connection alive and stops the turn when the client is gone;
- ``gateway`` is the front door: :func:`chat_app.agent.gateway.build_agent`.
"""
