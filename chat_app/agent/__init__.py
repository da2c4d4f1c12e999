"""The agent that is in the box: an ASGI app that speaks AG-UI and imports nothing of ours.

Every chat with it goes over HTTP and SSE, like a chat with any other agent, so each of them proves the wire.
An event travels ``mind`` → ``turn`` → ``renderer`` → ``outbox`` → ``stream``:

- ``gateway`` is the front door, :func:`chat_app.agent.gateway.build_agent`; ``intake`` refuses what is no run input
  and ``conversation`` reads what is one;
- a mind (``work``) plans a *turn* and reports it in ``turn_events``: ``scripted`` plays the scenarios, ``model_mind``
  works the ``loop``; neither knows HTTP, SSE or the events of AG-UI;
- the ``renderer`` turns those reports into AG-UI events in an order every client accepts. What one speaker has open
  is in ``lane``, who speaks in ``subagents``, the state everybody sees in ``projection``;
- ``worker`` sees that every turn ends, and keeps in ``memory`` what the next request cannot carry;
- ``outbox`` bounds and ``coalesce`` joins what is on its way; ``stream`` sends it, keeps the connection alive and
  stops the turn when the client is gone.
"""
