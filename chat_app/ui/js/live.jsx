// The browser store: one WebSocket per tab, its frames folded into rows, texts and flags that React reads by name.
// Knows the frames of /api/live, and nothing about what a row looks like. Words come from Python (ui/words).
import { useCallback, useEffect, useSyncExternalStore } from "react";
import { useLocation } from "react-router";
import { takeOver } from "./early.jsx";
import { NOTHING_SHARED, openPanels, panelOps } from "./patch.jsx";
import { beyond } from "./screen.jsx";
import { teach } from "./words.jsx";

export { useRows } from "./screen.jsx";
export { phrase, words } from "./words.jsx";

const IDLE = Object.freeze({ status: "idle", id: "", started: "", step: "", tool: "", queued: Object.freeze([]) });
// What the pre-rendered page shows. It never changes, or hydration would find another page than was built.
const START = Object.freeze({
  conn: Object.freeze({ status: "connecting", since: "", again: "" }), thread: "", threads: Object.freeze([]), rows: Object.freeze([]),
  run: IDLE, older: false, paging: false, ready: false, gone: false, away: "", draft: "empty", begun: "", unsent: false, accepted: 0, side: "",
  later: 0, steering: false, steps: "compact", reading: false, waiting: -1,
  more: false, moreArchived: false, archive: false, chosen: "", renaming: "", deleting: "", finding: false, goto: "", files: Object.freeze([]),
  panel: "", tab: "", panels: Object.freeze({}), shared: NOTHING_SHARED, changed: Object.freeze({}), past: null,
});
const state = { ...START };
const texts = new Map(); // text of a part, kept outside its row: an append re-renders one component, not the list
const watchers = new Map(); // name of a value or key of a text -> functions to call when it changed
const cursor = { epoch: "", n: 0, target: "" };
const react = { runEnd: null, interrupt: null };
export const stats = { bytes: 0, frames: 0, opens: 0, snapshots: 0, stale: 0, resyncs: 0 };

const HEARTBEAT_LOST = 40_000;
const HEARTBEAT_DOUBT = 20_000; // asked about only when the tab wakes up
const SIGNED_OUT = 4401;
const BACKOFF = { first: 250, most: 5_000 };

export const watch = (name, fn) => {
  const set = watchers.get(name) ?? new Set();
  watchers.set(name, set.add(fn));
  return () => { if (set.delete(fn) && !set.size && watchers.get(name) === set) watchers.delete(name); };
};
export const tell = (name) => watchers.get(name)?.forEach((fn) => fn());
export const get = (name) => state[name];
export const put = (name, value) => { if (state[name] !== value) { state[name] = value; tell(name); } };
export const textKey = (row, part) => `${row}\n${part}`;
export const textOf = (row, part) => texts.get(textKey(row, part)) ?? "";

const subscribers = new Map(); // React needs the same subscribe function on every render
const subscriber = (name) => subscribers.get(name) ?? subscribers.set(name, (fn) => watch(name, fn)).get(name);
export const useLive = (name) => useSyncExternalStore(subscriber(name), () => state[name], () => START[name]);
export const useText = (row, part) => {
  const key = textKey(row, part);
  return useSyncExternalStore(useCallback((fn) => watch(key, fn), [key]), () => texts.get(key) ?? "", () => "");
};

// ---------------------------------------------------------------- frames
const before = (a, b) => a.position - b.position || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0);

// One frame changes names and text keys; `batch` tells their watchers once, after all of its ops.
const batch = () => {
  const dirty = new Set();
  let rows = null;
  const edit = () => (rows ??= state.rows.slice());
  const hold = (row, part) => { // takes a part's text out of its record
    const key = textKey(row, part.key);
    if ("text" in part || !texts.has(key)) { texts.set(key, part.text ?? ""); dirty.add(key); }
    return { ...part, text: "" };
  };
  const settle = (row) => ({ ...row, parts: row.parts.map((part) => hold(row.key, part)) });
  return {
    edit, settle, dirty,
    get: (name) => state[name],
    set(name, value) { if (state[name] !== value) { state[name] = value; dirty.add(name); } },
    find: (key) => (rows ?? state.rows).findLastIndex((row) => row.key === key),
    hold,
    replace(next) { rows = next; },
    done() { if (rows) { state.rows = rows; dirty.add("rows"); } dirty.forEach(tell); },
  };
};

// Each op answers false when it does not fit what is held; the thread is then asked for anew.
const OPS = {
  "+": (b, text) => { if (!texts.has(cursor.target)) return false; texts.set(cursor.target, texts.get(cursor.target) + text); b.dirty.add(cursor.target); },
  "@": (b, row, part) => { cursor.target = textKey(row, part); },
  row: (b, row) => {
    const rows = b.edit(), at = b.find(row.key), next = b.settle(row);
    if (at >= 0 && rows[at].position === row.position) { rows[at] = next; return; }
    if (at >= 0) rows.splice(at, 1);
    rows.splice(rows.findLastIndex((other) => before(other, next) < 0) + 1, 0, next);
  },
  part: (b, key, part) => {
    const at = b.find(key);
    if (at < 0) return false;
    const rows = b.edit(), row = rows[at], next = b.hold(key, part), i = row.parts.findIndex((other) => other.key === part.key);
    rows[at] = { ...row, parts: i < 0 ? [...row.parts, next] : row.parts.with(i, next) };
  },
  drop: (b, key) => {
    const at = b.find(key);
    if (at < 0) return;
    b.edit().splice(at, 1)[0].parts.forEach((part) => texts.delete(textKey(key, part.key)));
  },
  run: (b, run) => b.set("run", run),
  ...panelOps,
};

const turned = (was, now) => { // lets the page answer to the agent: see `Live`
  if (was.status !== "idle" && now.status === "idle") { react.runEnd?.(was.id); tell("answered"); }
  if (was.status !== "waiting" && now.status === "waiting") react.interrupt?.(now.id);
};

const onSnapshot = ({ rows, older, run, cursor: at, at: target, panels }) => {
  const b = batch(), again = cursor.epoch !== "" || state.ready, was = state.run;
  stats.snapshots++;
  texts.clear();
  tell("replacing");
  rows.sort(before);
  b.replace(rows.map(b.settle));
  const cut = at.lastIndexOf(":");
  Object.assign(cursor, { epoch: at.slice(0, cut), n: Number(at.slice(cut + 1)), target: target ? textKey(...target) : "" });
  b.set("later", state.away || document.hidden ? 0 : beyond(rows));
  b.set("older", older); b.set("run", run); b.set("ready", true); b.set("gone", false);
  openPanels(b, panels);
  b.done();
  if (again) turned(was, run);
};

const NEWS = new Set(["+", "row", "part"]); // what a reader who is not at the end is told of
const onOps = ({ e, n, ops }) => {
  if (!cursor.epoch.endsWith(e) || n <= cursor.n) { stats.stale++; return; } // of another thread, or seen already
  const b = batch(), was = state.run;
  const fits = ops.every(([op, ...rest]) => OPS[op]?.(b, ...rest) !== false);
  cursor.n = n;
  b.done();
  if (!fits) { stats.resyncs++; forget(); ask(); return; }
  if (ops.some(([op]) => NEWS.has(op))) tell("arrived");
  if (was !== state.run) turned(was, state.run);
};

const onPage = ({ rows, older }) => {
  const b = batch(), held = new Set(state.rows.map((row) => row.key));
  tell("replacing"); // the scroller notes what is being read
  b.replace([...rows.filter((row) => !held.has(row.key)).map(b.settle), ...state.rows].sort(before));
  b.set("older", older); b.set("paging", false);
  b.done();
};

export const frames = {}; // what other files make of the frames of theirs, by name
const newest = (a, b) => (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0);
// Signed out, or back as somebody else: nothing of the old page may stay.
const leave = () => window.location.assign(`/sign-in?back=${encodeURIComponent(window.location.pathname)}`);
let me = "";
const meet = (person) => { if (me && me !== person) window.location.reload(); me = person; };
const apply = (f) => {
  if (f.me) meet(f.me);
  else if (f.threads) { put("threads", f.threads); put("more", f.more); put("archive", false); }
  else if (f.list) frames.list?.(f.list);
  else if (f.thread) put("threads", [f.thread, ...state.threads.filter((t) => t.id !== f.thread.id)].sort(newest));
  else if (f.thread_gone) put("threads", state.threads.filter((t) => t.id !== f.thread_gone));
  else if (f.ops) onOps(f);
  else if (f.waiting !== undefined) { put("waiting", f.waiting); frames.waiting?.(f); }
  else if (f.inbox) frames.inbox?.(f.inbox);
  else if (f.t === undefined) return;
  else if (f.t !== state.thread) stats.stale++;
  else if (f.snapshot) onSnapshot(f.snapshot);
  else if (f.page) onPage(f.page);
  else if (f.may) put("reading", f.may === "read");
  else if (f.past) put("past", f.past);
  else if (f.gone) { put("gone", true); put("ready", true); }
};

// ---------------------------------------------------------------- the socket
let socket = null, timer = 0, tries = 0, heard = 0, started = false;
export const send = (frame) => {
  const open = socket?.readyState === WebSocket.OPEN;
  if (open) socket.send(JSON.stringify(frame));
  return open;
};
const ask = () => send({ sub: state.thread, after: cursor.epoch && `${cursor.epoch}:${cursor.n}` });
const forget = () => Object.assign(cursor, { epoch: "", n: 0, target: "" });

const lost = () => {
  const wait = Math.min(BACKOFF.most, BACKOFF.first * 2 ** tries++) * (0.75 + Math.random() / 2);
  const now = Date.now(), { since } = state.conn;
  put("conn", { status: "offline", since: since || new Date(now).toISOString(), again: new Date(now + wait).toISOString() });
  put("paging", false);
  clearTimeout(timer);
  timer = setTimeout(connect, wait);
};
const hangUp = () => { const old = socket; socket = null; if (old) { old.onclose = old.onmessage = null; old.close(); } };
export const connect = () => {
  clearTimeout(timer);
  if (socket) return;
  const { socket: mine, said, sub } = takeOver();
  socket = mine;
  heard = Date.now();
  const opened = () => { stats.opens++; heard = Date.now(); put("conn", { status: "live", since: "", again: "" }); if (sub !== state.thread) ask(); tell("opened"); };
  const hear = ({ data }) => { tries = 0; heard = Date.now(); stats.frames++; stats.bytes += data.length; apply(JSON.parse(data)); };
  mine.onopen = opened;
  mine.onmessage = hear;
  mine.onclose = ({ code }) => { if (socket === mine) { socket = null; code === SIGNED_OUT ? leave() : lost(); } };
  if (sub === null) return;
  // not at once, for who makes something of a frame is still to come; and one by one, for one that fails takes none along
  const catchUp = [opened, ...said.map((data) => () => hear({ data }))];
  catchUp.forEach((act) => queueMicrotask(() => { if (socket === mine) act(); }));
};
const check = (silence) => { if (socket && Date.now() - heard > silence) { hangUp(); lost(); } };
const wake = () => { if (document.visibilityState === "hidden") return; check(HEARTBEAT_DOUBT); if (!socket) { tries = 0; connect(); } };
const start = () => {
  if (started) return;
  started = true;
  window.__parley = stats; // read by the benchmark; bytes are the characters of the frames
  window.addEventListener("online", wake);
  document.addEventListener("visibilitychange", wake);
  setInterval(() => check(HEARTBEAT_LOST), 5_000);
  connect();
};

const follow = (thread) => {
  if (state.thread === thread && started) return;
  forget();
  texts.clear();
  const b = batch();
  b.replace([]);
  for (const name of ["run", "older", "gone", "away", "paging", "later", "reading", "panels", "shared", "changed", "past"]) b.set(name, START[name]);
  b.set("thread", thread); b.set("ready", thread === "");
  b.done();
  ask();
};
export const older = () => {
  if (!state.older || state.paging || state.later || state.rows.length === 0) return;
  if (send({ older: { thread: state.thread, before: state.rows[0].position } })) put("paging", true);
};

export const lookBack = (number) => send({ past: { thread: state.thread, number } });

// The address alone names the thread.
const decoded = (text) => { try { return decodeURIComponent(text); } catch { return text; } }; // a malformed one names no thread
const inAddress = (path) => { const found = /^\/t\/([^/]+)/.exec(path); return found ? decoded(found[1]) : ""; };
export const Live = ({ title, catalog, onRunEnd, onInterrupt }) => {
  const path = useLocation().pathname, wanted = inAddress(path), waiting = useLive("waiting");
  teach(catalog);
  useEffect(() => { react.runEnd = onRunEnd; react.interrupt = onInterrupt; });
  useEffect(() => { follow(wanted); start(); }, [wanted]);
  useEffect(() => { document.title = waiting > 0 ? `(${waiting}) ${title}` : title; }, [title, path, waiting]);
  return null;
};

// The socket opens while the page is still being built; what comes before it is drawn waits in the store.
if (typeof window !== "undefined") { follow(inAddress(window.location.pathname)); start(); }
