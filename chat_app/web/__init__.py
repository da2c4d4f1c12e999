"""HTTP and WebSocket routes beside the pages: the live channel, the guard, health."""
