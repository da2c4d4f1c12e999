// Times as people read them, in the browser's own language and time zone; and the thread list by the user's days.
import { useEffect, useState, useSyncExternalStore } from "react";
import { useLive, words } from "./live.jsx";
import { locale, phrase } from "./words.jsx";

const DAY = 86_400_000;
const formats = new Map();
const format = (options) => {
  const name = locale() + JSON.stringify(options);
  return formats.get(name) ?? formats.set(name, new Intl.DateTimeFormat(locale(), options)).get(name);
};
const written = (iso, options) => { const at = Date.parse(iso); return Number.isNaN(at) ? "" : format(options).format(at); };
const midnight = (ms) => new Date(ms).setHours(0, 0, 0, 0);
const daysAgo = (iso, now) => Math.round((midnight(now) - midnight(Date.parse(iso))) / DAY);

export const clock = (iso) => written(iso, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
export const clockSeconds = (iso) => written(iso, { hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
export const exact = (iso) => written(iso, { dateStyle: "long", timeStyle: "medium" });
export const day = (iso) => {
  const near = [words.today, words.yesterday][daysAgo(iso, Date.now())];
  return near ? `${near}, ${written(iso, { day: "numeric", month: "long" })}` : written(iso, { dateStyle: "long" });
};
// The day a row begins, or "" when the row before it is of the same day.
export const dayBreak = (rows, i) => {
  const at = rows[i].at, last = rows[i - 1]?.at;
  return at && (!last || midnight(Date.parse(at)) !== midnight(Date.parse(last))) ? at : "";
};
const pad = (n) => String(n).padStart(2, "0");
const span = (ms) => {
  const s = Math.max(0, Math.floor(ms / 1000));
  return s >= 3600 ? `${Math.floor(s / 3600)}:${pad(Math.floor(s / 60) % 60)}:${pad(s % 60)}` : `${Math.floor(s / 60)}:${pad(s % 60)}`;
};
const seconds = (value, digits = 0) => phrase("seconds", { count: value.toLocaleString(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits }) });
// How long something took: 0.8 s, 12 s, 1:54.
export const lasted = (from, to) => {
  const ms = Date.parse(to) - Date.parse(from);
  if (Number.isNaN(ms)) return "";
  return ms < 10_000 ? seconds(Math.max(0, ms / 1000), 1) : ms < 60_000 ? seconds(Math.round(ms / 1000)) : span(ms);
};
export const whole = (from, to) => { const s = Math.round((Date.parse(to) - Date.parse(from)) / 1000); return s < 60 ? seconds(Math.max(1, s || 0)) : span(s * 1000); };

// One clock for the page: it beats only while something on it is shown.
let now = Date.now(), beat = 0;
const beats = new Set();
const listen = (fn) => {
  beats.add(fn);
  beat ||= setInterval(() => { now = Date.now(); beats.forEach((f) => f()); }, 1000);
  return () => { beats.delete(fn); if (!beats.size) { clearInterval(beat); beat = 0; } };
};
const useNow = (step) => useSyncExternalStore(listen, () => Math.floor((beat ? now : (now = Date.now())) / step) * step, () => 0);

export const Elapsed = ({ since }) => { const at = useNow(1000); return <span className="faint num">{since ? span(at + 999 - Date.parse(since)) : ""}</span>; };

const MILESTONES = [300, 60]; // seconds left that are said aloud, and no others
export const Countdown = ({ until, since: from }) => {
  const left = Math.ceil((Date.parse(until) - useNow(1000)) / 1000), total = (Date.parse(until) - Date.parse(from)) / 1000;
  const [said, say] = useState("");
  useEffect(() => { if (MILESTONES.includes(left)) say(`${words.expires_in} ${span(left * 1000)}`); }, [left]);
  const text = left < 60 ? words.less_than_a_minute : span(left * 1000);
  return (
    <>
      {left > 0 ? <span>{words.expires_in} <b>{text}</b></span> : <span>{words.expired}</span>}
      <span className="sr" role="status">{said}</span>
      {total > 0 && <span className="fuse fuse-low" aria-hidden="true"><i style={{ inlineSize: `${Math.min(100, Math.max(0, (100 * left) / total))}%` }} /></span>}
    </>
  );
};

export const Retrying = ({ again }) => { const s = Math.ceil((Date.parse(again) - useNow(1000)) / 1000); return s > 0 ? phrase("trying_again_in", { time: seconds(s) }) : words.trying_again; };

const GROUPS = [["today", 0], ["yesterday", 1], ["week", 7], ["older", Infinity]];
export const useGroups = () => {
  const threads = useLive("threads"), archive = useLive("archive"), at = useNow(60_000);
  const sorted = threads.filter((thread) => Boolean(thread.archived) === archive).sort((a, b) => (a.updated < b.updated ? 1 : -1));
  const age = (thread) => GROUPS.find(([, most]) => daysAgo(thread.updated, at) <= most)?.[0] ?? "today";
  const code = (thread) => (thread.pinned ? "pinned" : age(thread));
  const groups = ["pinned", ...GROUPS.map(([name]) => name)].map((name) => ({ code: name, threads: [] }));
  for (const thread of sorted) groups.find((group) => group.code === code(thread)).threads.push(thread);
  return groups.filter((group) => group.threads.length);
};
const NOBODY = Object.freeze({ id: "", title: "", mark: "", unread: false, updated: "", agent: "" });
export const useCurrent = () => { const id = useLive("thread"); return useLive("threads").find((thread) => thread.id === id) ?? NOBODY; };

// The time at the end of a line of the thread list: 1 h, 14:20, Thu, 9 Nov.
export const ago = (iso) => {
  const at = Date.now(), days = daysAgo(iso, at), minutes = Math.floor((at - Date.parse(iso)) / 60_000);
  if (Number.isNaN(days)) return "";
  if (days <= 0) return minutes < 1 ? words.now : minutes < 60 ? phrase("minutes", { count: minutes }) : phrase("hours", { count: Math.floor(minutes / 60) });
  if (days === 1) return clock(iso);
  return days <= 7 ? written(iso, { weekday: "short" }) : written(iso, { day: "numeric", month: "short" });
};
