// The inbox of open decisions: which list is followed, what is open and picked in it, and its keys. What it shows is
// drawn in Python (ui/inbox); the list itself comes as frames and is replaced whole.
import { useEffect, useMemo } from "react";
import { useNavigate } from "react-router";
import { isCovered } from "./dialog.jsx";
import { frames, get, put, send, useLive, watch } from "./live.jsx";
import { pref } from "./prefs.jsx";

const OPENED = Object.freeze({ id: "", row: Object.freeze({ arguments: [], actions: [], changes: [], answer: [] }), said: [], roles: [], raised: [], endorsed: [], people: [] });
const EMPTY = Object.freeze({ ready: false, gone: false, questions: [], more: false, after: "", mine: 0, assigned: 0, all: 0, agents: [], tools: [], people: [], opened: OPENED });
const FIRST = Object.freeze({ tab: "all", agent: "", tool: "", owner: "", age: "", sort: "oldest", limit: 50, after: "", open: "" });
const NONE = Object.freeze([]);
const PAGE = 50;

export const useInbox = () => useLive("inbox") ?? EMPTY;
export const useWanted = () => useLive("wanted") ?? FIRST;
export const usePicked = () => {
  const ids = useLive("picked") ?? NONE, { questions: items } = useInbox();
  return useMemo(() => {
    const found = items.filter((item) => ids.includes(item.id));
    const same = found.length > 0 && found[0].same !== "" && found.every((item) => item.takes && item.same === found[0].same);
    return { ids: found.map((item) => item.id), count: found.length, same };
  }, [ids, items]);
};

const wanted = () => get("wanted") ?? FIRST;
const isWide = () => matchMedia("(min-width: 761px)").matches;
const ask = () => send({ inbox: wanted() });
const want = (change) => { put("wanted", { ...wanted(), ...change }); ask(); };
export const openItem = (id) => want({ open: id });
export const narrow = (field, value) => { put("picked", NONE); want({ [field]: value, limit: PAGE, after: "", ...(field === "tab" ? { open: "" } : {}) }); };
// A stretch grows to the longest there is, then the next one takes its place.
export const showMore = () => { const { after } = get("inbox") ?? EMPTY; want(after ? { after, limit: PAGE, open: "" } : { limit: wanted().limit + PAGE }); };
export const showFirst = () => want({ after: "", limit: PAGE, open: "" });
export const clearPicked = () => put("picked", NONE);
const pick = (id) => { const now = get("picked") ?? NONE; put("picked", now.includes(id) ? now.filter((one) => one !== id) : [...now, id]); };

frames.inbox = ({ asked, gone, ...page }) => {
  if (gone) { put("inbox", { ...EMPTY, gone: true, ready: true }); return; }
  const now = wanted();
  if (Object.keys(FIRST).some((name) => asked[name] !== now[name])) return; // of a list that was left meanwhile
  put("inbox", { ...page, gone: false, ready: true });
  if (!now.open && isWide() && page.questions.length > 0) openItem(page.questions[0].id);
};

const isTyping = (target) => target.isContentEditable || target.matches?.("textarea, select, input:not([type=checkbox])");
const step = (by) => {
  const { questions: items } = get("inbox") ?? EMPTY, at = items.findIndex((item) => item.id === wanted().open);
  const next = items[at < 0 ? 0 : Math.min(items.length - 1, Math.max(0, at + by))];
  if (!next) return;
  openItem(next.id);
  requestAnimationFrame(() => document.querySelector(".item[aria-current=true]")?.scrollIntoView({ block: "nearest" }));
};
const press = (key) => document.querySelector(`.detail [data-pane=""] [data-key="${key}"]`)?.click();
const KEYS = { j: () => step(1), k: () => step(-1), x: () => wanted().open && pick(wanted().open), a: () => press("a"), e: () => press("e"), r: () => press("r") };

export const Desk = ({ className, children }) => {
  const go = useNavigate();
  useEffect(() => {
    const open = new URLSearchParams(window.location.search).get("open") ?? "";
    put("wanted", { ...FIRST, open });
    put("picked", NONE);
    ask();
    const heard = (e) => {
      const act = e.key === "Enter" ? e.target === document.body && (() => { const { thread } = (get("inbox") ?? EMPTY).opened; if (thread) go(`/t/${thread}`); }) : KEYS[e.key];
      if (!act || pref("keys") === "off" || e.defaultPrevented || e.isComposing || e.repeat || e.ctrlKey || e.metaKey || e.altKey) return;
      if (isTyping(e.target) || e.target.closest?.(".ask") || get("dialog") || isCovered()) return;
      e.preventDefault();
      act();
    };
    const unwatch = watch("opened", ask);
    document.addEventListener("keydown", heard, true); // before the keys of every page, some of which it takes over
    return () => { unwatch(); document.removeEventListener("keydown", heard, true); send({ inbox_over: true }); put("inbox", EMPTY); };
  }, []);
  return <div className={className}>{children}</div>;
};

export const OpenItem = ({ item, children }) => {
  const open = (e) => { if (e.ctrlKey || e.metaKey || e.shiftKey) return; e.preventDefault(); openItem(item); };
  return <a href={`/approvals?open=${encodeURIComponent(item)}`} onClick={open}>{children}</a>;
};

export const Pick = ({ item, label }) => {
  const picked = useLive("picked") ?? NONE;
  return <label className="pick"><input type="checkbox" aria-label={label} checked={picked.includes(item)} onChange={() => pick(item)} /></label>;
};

// Narrows the list to one of `choices`, or to `any` of them.
export const Narrow = ({ field, label, any, choices }) => {
  const value = useWanted()[field];
  const gone = value && !choices.some((one) => one.id === value); // nothing of it waits any more
  return (
    <label className={`filt${value && any ? " on" : ""}`}>
      <span>{label}</span>
      <select value={value} onChange={(e) => narrow(field, e.target.value)}>
        {any && <option value="">{any}</option>}
        {gone && <option value={value}>{value}</option>}
        {choices.map((one) => <option key={one.id} value={one.id}>{one.count ? `${one.name} (${one.count})` : one.name}</option>)}
      </select>
    </label>
  );
};
