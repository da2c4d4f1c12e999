// What the person chose about contrast and density, before the first paint. Written by ui/js/prefs.jsx.
for (const name of ["contrast", "density"]) {
  try {
    const chosen = localStorage.getItem(`parley.${name}`);
    if (chosen) document.documentElement.dataset[name] = chosen;
  } catch { /* storage may be off */ }
}

// The socket opens and asks for the thread of the address before the scripts of the page have come; ui/js/live.jsx
// takes it over with what was said meanwhile.
{
  const found = /^\/t\/([^/]+)/.exec(location.pathname), url = new URL("/api/live", location.href);
  const decoded = (text) => { try { return decodeURIComponent(text); } catch { return text; } };
  url.protocol = url.protocol.replace("http", "ws");
  const early = (window.__parley_early = { socket: new WebSocket(url), said: [], sub: null });
  early.socket.onmessage = ({ data }) => early.said.push(data);
  early.socket.onopen = () => {
    early.sub = found ? decoded(found[1]) : "";
    early.socket.send(JSON.stringify({ sub: early.sub, after: "" }));
  };
  setTimeout(() => { // nobody came for it
    if (window.__parley_early !== early) return;
    delete window.__parley_early;
    early.socket.close();
  }, 30_000);
}
