// Files for a line that is being written: chosen, dropped or pasted, sent to the server at once, and held by thread
// until the line is taken. The server says what a file is; what the agent does not take is refused before it travels.
import { useEffect, useRef, useState } from "react";
import { get, put, useLive, watch } from "./live.jsx";
import { said, words } from "./words.jsx";

const KEPT = "parley.files."; // + thread id, or "new"; what was taken in survives a reload
const LONG = { chars: 100_000, lines: 2_000 }; // a paste from which a file is offered instead of text
const MOST = 10;
const keyOf = (thread) => KEPT + (thread || "new");
const load = (key) => { try { return JSON.parse(localStorage.getItem(key) ?? "[]"); } catch { return []; } };
const save = (key, files) => { const done = files.filter((file) => file.state === "ready" && !file.pasted); try { if (done.length) localStorage.setItem(key, JSON.stringify(done)); else localStorage.removeItem(key); } catch { /* held here all the same */ } };

const held = new Map(); // key of a draft -> its files: { key, id, name, size, state, reason, done, kind, pasted }
const texts = new Map(); // key of a pasted file -> its text
let accepts = [], limit = 0, count = 0, agent = ""; // agent: of a new chat
const here = () => keyOf(get("thread"));
const list = (key) => held.get(key) ?? held.set(key, load(key)).get(key);
const show = () => put("files", list(here()));
const set = (key, files) => { held.set(key, files); save(key, files); if (key === here()) show(); };
const change = (file, values) => held.forEach((files, key) => { // wherever it went meanwhile
  if (files.some((one) => one.key === file)) set(key, files.map((one) => (one.key === file ? { ...one, ...values } : one)));
});
watch("thread", show);

const EXTENSIONS = /\.(png|jpe?g|gif|webp|pdf|mp3|wav|ogg|flac|mp4|webm)$/i;
const kindOf = ({ type, name }) => (type === "application/pdf" ? "pdf" : ["image", "audio", "video"].find((kind) => type.startsWith(`${kind}/`)) ?? (EXTENSIONS.test(name) ? "" : "file"));
export const wanted = (kinds) => kinds.map((kind) => ({ image: "image/*", audio: "audio/*", video: "video/*", pdf: "application/pdf" })[kind]).filter(Boolean).join(",");

const upload = (entry, file) => {
  const request = new XMLHttpRequest();
  request.open("POST", `/api/files?${new URLSearchParams({ thread: get("thread"), agent })}`); // which says what is taken
  request.setRequestHeader("X-File-Name", encodeURIComponent(entry.name));
  request.upload.onprogress = (e) => change(entry.key, { done: Math.floor((100 * e.loaded) / (e.total || 1)) });
  request.onerror = () => change(entry.key, { state: "bad", reason: words.file_lost });
  request.onload = () => {
    let told = {};
    try { told = JSON.parse(request.responseText); } catch { /* a proxy's page: the status says enough */ }
    if (request.status === 201) change(entry.key, { state: "ready", id: told.id, name: told.name, kind: told.kind });
    else change(entry.key, { state: "bad", reason: told.title ? said(told.title, told.facts) : words.file_lost });
  };
  request.send(file);
};
const add = (file, pasted = "") => {
  const key = here(), kind = kindOf(file), known = list(key);
  const reason = kind && !accepts.includes(kind) ? words.file_kind : limit && file.size > limit ? words.file_large : known.length >= MOST ? words.file_many : "";
  const entry = { key: `file-${Date.now()}-${++count}`, id: "", name: file.name, size: file.size, state: reason ? "bad" : "coming", reason, done: 0, kind, pasted: Boolean(pasted) };
  if (pasted) texts.set(entry.key, pasted);
  set(key, [...known, entry]);
  if (!reason) upload(entry, file);
};
export const remove = (file) => {
  const key = here(), entry = list(key).find((one) => one.key === file);
  set(key, list(key).filter((one) => one.key !== file));
  texts.delete(file);
  if (entry?.id) fetch(`/api/files/${entry.id}`, { method: "DELETE" }).catch(() => {}); // the server forgets it by itself in a day
  document.getElementById("composer")?.focus();
};
export const asText = (file) => {
  const text = texts.get(file) ?? "", box = document.getElementById("composer");
  remove(file);
  box.classList.add("huge");
  box.setRangeText(text, box.selectionStart, box.selectionEnd, "end");
  box.dispatchEvent(new Event("input", { bubbles: true }));
};
export const pick = () => document.getElementById("files")?.click();

// For the message box: what is ready to go, whether anything is on its way, and letting go of what was taken.
export const ready = (thread) => list(keyOf(thread)).filter((file) => file.state === "ready").map((file) => file.id);
export const coming = () => (get("files") ?? []).some((file) => file.state === "coming");
export const moveFiles = (from, to) => { const files = list(keyOf(from)); if (files.length) { set(keyOf(to), [...list(keyOf(to)), ...files]); set(keyOf(from), []); } };
export const letGo = (thread, ids) => set(keyOf(thread), list(keyOf(thread)).filter((file) => !ids.includes(file.id)));

// Around the form: takes in what is dropped on it or pasted into it, while the agent takes files at all.
export const Drop = ({ kinds, most, chosen, children }) => {
  const [over, setOver] = useState(false), thread = useLive("thread"), picker = useRef(null);
  accepts = kinds;
  limit = most;
  agent = chosen;
  useEffect(show, [thread]);
  const takes = (e) => { // else the browser would leave the page for the file, whether the agent takes any or not
    if (!e.dataTransfer?.types.includes("Files")) return false;
    e.preventDefault();
    return kinds.length > 0;
  };
  const drop = (e) => { if (!takes(e)) return; setOver(false); [...e.dataTransfer.files].forEach((file) => add(file)); };
  const paste = (e) => {
    if (!kinds.length) return;
    const files = [...e.clipboardData.files], text = files.length ? "" : e.clipboardData.getData("text/plain");
    const long = accepts.includes("file") && (text.length > LONG.chars || text.split("\n", LONG.lines + 1).length > LONG.lines);
    if (!files.length && !long) return;
    e.preventDefault();
    files.forEach((file) => add(file));
    if (long) add(new File([text], `${words.pasted}.txt`, { type: "text/plain" }), text);
  };
  return (
    <div className={over ? "drop is-over" : "drop"} onDragOver={(e) => { if (takes(e)) setOver(true); }} onDragLeave={() => setOver(false)} onDrop={drop} onPasteCapture={paste}>
      {children}
      <input ref={picker} id="files" type="file" multiple hidden aria-label={words.attach} accept={kinds.includes("file") ? undefined : wanted(kinds)} onChange={(e) => { [...e.target.files].forEach((file) => add(file)); e.target.value = ""; }} />
    </div>
  );
};
