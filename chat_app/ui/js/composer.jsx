// The message box: drafts per thread, keys, and one line sent once. A draft is cleared only when its line has come
// back in the transcript; until then it is held here, whatever page or thread is shown.
import { useEffect, useRef } from "react";
import { coming, letGo, moveFiles, ready } from "./files.jsx";
import { get, put, textOf, useLive, watch } from "./live.jsx";
import { isCovered } from "./dialog.jsx";
import { box, draftOf, isBlank, load, moveDraft, save, unfold } from "./drafts.jsx";
import { useBeforePaint } from "./words.jsx";

const ANSWER_WITHIN = 15_000;
const LIVE = new Set(["running", "stopping"]);
const HUGE = 20_000; // characters from which the box no longer measures its text
const same = (a, b) => a.replace(/\s+/g, " ").trim() === b.replace(/\s+/g, " ").trim();

let pending = null; // the line being sent: { key, text, seen, timer }
let counted = null; // lines the server has taken, as last told
let begun = false; // the first line of a new chat was taken: what is written from then on belongs to the thread it makes
const isHere = (key) => draftOf(get("thread")) === key;
let typed = null; // what was typed since the draft was last kept: { key, text, timer }
const flush = () => { if (typed) { clearTimeout(typed.timer); save(typed.key, typed.text); typed = null; } };
if (typeof window !== "undefined") window.addEventListener("pagehide", flush); // once: the box of a page may go after the next has come
// By hand: with dir="auto" the browser needs seconds to take in 20,000 lines
const direction = (text) => (isBlank(text) ? document.documentElement.dir : /^[^\p{L}]*[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(text.slice(0, 500)) ? "rtl" : "ltr");
const refresh = () => {
  const text = box()?.value ?? "";
  if (box()) { box().classList.toggle("huge", text.length > HUGE); box().dir = direction(text); }
  put("begun", /^\/[\w-]*$/.test(text) ? text : ""); // of a command: see commands.jsx
  // a line on its way in another thread shuts nothing here
  put("draft", pending && isHere(pending.key) ? "sending" : coming() ? "coming" : isBlank(text) && !ready(get("thread")).length ? "empty" : "ready");
};
const settle = (accepted, answered = true) => {
  const { key, text, timer, files, thread } = pending, rest = (held) => (held.startsWith(text) ? held.slice(text.length).trimStart() : held);
  pending = null;
  clearTimeout(timer);
  if (accepted) {
    begun = !thread;
    flush();
    save(key, rest(load(key)));
    if (box() && isHere(key)) box().value = rest(box().value);
    letGo(thread, files);
    put("accepted", get("accepted") + 1);
  }
  put("unsent", !answered && isHere(key));
  refresh();
};
watch("files", () => refresh());
const said = (row) => row.parts.filter((part) => part.kind === "text").map((part) => textOf(row.key, part.key)).join("\n");
watch("rows", () => {
  if (pending && pending.text && get("rows").some((row) => row.kind === "user" && !pending.seen.has(row.key) && same(said(row), pending.text))) settle(true);
});

const submit = (onSend, abandon = false) => {
  const text = box().value, thread = get("thread"), key = draftOf(thread), files = ready(thread);
  if (pending || coming() || (isBlank(text) && !files.length)) return;
  if (get("run").status === "waiting" && !abandon) { put("steering", true); return; } // answer, or give it up: see steer.jsx
  flush();
  save(key, text);
  const seen = new Set(get("rows").map((row) => row.key));
  pending = { key, text, thread, files, seen, timer: setTimeout(() => settle(false, false), ANSWER_WITHIN) };
  put("unsent", false);
  refresh();
  onSend?.({ text, thread, files, abandon, queue: LIVE.has(get("run").status) });
};
// What the box holds instead of a draft: a line that was sent, or one that was being changed when it was sent.
const lastSaid = () => { const row = get("rows").findLast((one) => one.kind === "user"); return row ? said(row) : ""; };
export const write = (text) => { box().value = text; box().setSelectionRange(text.length, text.length); onInput(); };
export const takeBack = (text) => { if (box()) write(isBlank(box().value) ? text : `${text}\n${box().value}`); box()?.focus(); };
const onInput = () => {
  clearTimeout(typed?.timer);
  typed = { key: draftOf(get("thread")), text: box().value, timer: setTimeout(flush, 300) };
  put("unsent", false);
  refresh();
};
let sender = null; // what the form sends by
export const sendAnyway = () => submit(sender, true);
export const suggest = (text) => { box().value = text; onInput(); box().form.requestSubmit(); };

export const Composer = ({ shut, stoppable, problem, accepted, made, returned, onSend, onStop, className, children }) => {
  const thread = useLive("thread"), stop = useRef(null);
  useEffect(() => { stop.current = stoppable ? onStop : null; sender = onSend; });
  useBeforePaint(() => {
    if (pending && counted !== null && accepted !== counted) settle(true);
    counted = accepted;
  }, [accepted]);
  useBeforePaint(() => { // so that the next key finds the box of the next page
    const here = get("thread");
    flush();
    if (begun && here && here === made) { begun = false; moveDraft(draftOf(""), draftOf(here)); moveFiles("", here); }
    if (unfold(draftOf(here))) onInput(); else refresh();
    if (matchMedia("(pointer: fine)").matches && (document.activeElement === document.body || document.activeElement === box())) box().focus();
  }, [thread, made]);
  useEffect(() => { if (problem && pending) settle(false); }, [problem]);
  useEffect(() => { if (returned) takeBack(returned); }, [returned]);
  useEffect(() => {
    const escape = (e) => { if (e.key === "Escape" && !e.defaultPrevented && !e.isComposing && !isCovered() && !document.querySelector(".show-side")) stop.current?.(); };
    document.addEventListener("keydown", escape);
    return () => { document.removeEventListener("keydown", escape); flush(); };
  }, []);
  const send = (e) => { e.preventDefault(); if (!shut) submit(onSend); };
  const press = (e) => {
    if (e.key === "ArrowUp" && e.target.id === "composer" && !box().value && !e.shiftKey && !e.nativeEvent.isComposing && lastSaid()) { e.preventDefault(); write(lastSaid()); return; }
    if (e.key !== "Enter" || e.shiftKey || e.nativeEvent.isComposing || e.nativeEvent.keyCode === 229 || e.target.id !== "composer") return;
    e.preventDefault();
    e.currentTarget.requestSubmit();
  };
  const paste = (e) => { if (e.clipboardData.getData("text").length > HUGE) box().classList.add("huge"); };
  return <form className={className} onSubmit={send} onKeyDown={press} onInput={onInput} onPaste={paste} noValidate>{children}</form>;
};
