// The socket that assets/early.js opened before the scripts of the page had come.
const address = () => {
  const url = new URL("/api/live", window.location.href);
  url.protocol = url.protocol.replace("http", "ws");
  return url;
};
// Gives that socket, what it said meanwhile and the thread it asked for; a new one when it is over.
export const takeOver = () => {
  const early = window.__parley_early;
  delete window.__parley_early;
  return early && early.socket.readyState <= WebSocket.OPEN ? early : { socket: new WebSocket(address()), said: [], sub: null };
};
