"""The bus: how the processes on one database wake each other. It carries no data; the data is in SQL."""

from chat_app.services.bus.base import EVERYTHING, Bus, Hear, LocalBus, Wake
from chat_app.services.bus.polling import PollingBus
from chat_app.services.bus.postgres import PostgresBus

__all__ = ["EVERYTHING", "Bus", "Hear", "LocalBus", "PollingBus", "PostgresBus", "Wake"]
