// How an approval card behaves: armed 400 ms after it appears, and its keys A, E and R 400 ms after a person went into
// it; locked by the first click; a pane for what is filled in first. What it shows is drawn in Python (ui/ask).
import { createContext, useContext, useEffect, useRef, useState } from "react";
import { collect, useFilling } from "./form.jsx";
import { pref } from "./prefs.jsx";

const ARMED_AFTER = 400;
const UNLOCKED_AFTER = 10_000; // the server did not answer: let the person try again; it accepts one answer only
const FILLED = new Set(["edit", "respond"]);
const Guard = createContext(true);
const isTyping = (target) => target.matches("textarea, input, select");

const useGuard = (expires, problem) => {
  const [armed, setArmed] = useState(false), [locked, setLocked] = useState(false), [over, setOver] = useState(false);
  useEffect(() => { const timer = setTimeout(() => setArmed(true), ARMED_AFTER); return () => clearTimeout(timer); }, []);
  useEffect(() => { if (problem) setLocked(false); }, [problem]);
  useEffect(() => { if (!locked) return undefined; const timer = setTimeout(() => setLocked(false), UNLOCKED_AFTER); return () => clearTimeout(timer); }, [locked]);
  useEffect(() => {
    const left = Date.parse(expires) - Date.now();
    if (Number.isNaN(left) || left > 2 ** 31 - 1) return undefined;
    const timer = setTimeout(() => setOver(true), Math.max(0, left));
    return () => clearTimeout(timer);
  }, [expires]);
  return { locked, over, shut: !armed || locked || over, lock: () => setLocked(true), unlock: () => setLocked(false) };
};

export const Ask = ({ interrupt, expires, problem, label, starts, held, kept, answered, onDecide, onFill, onSend, children }) => {
  const card = useRef(null), sent = useRef(false), entered = useRef(Infinity), { locked, over, shut, lock, unlock } = useGuard(expires, problem), [mode, setMode] = useState(starts);
  const pane = (name = mode) => (name ? card.current.querySelector(`[data-pane="${name}"]`) : null);
  const filling = useFilling(card, (act, key) => onFill?.(interrupt, mode, collect(pane()), act, key));
  useEffect(() => { if (!locked) sent.current = false; }, [locked]);
  useEffect(() => { unlock(); setMode(kept ? "" : starts); }, [answered]); // its answer is held now, or one of two people agreed
  useEffect(() => { // the question takes the focus from nobody: who is about to type must not decide by a letter
    if (document.activeElement === document.body) card.current.querySelector("[data-question]")?.focus({ preventScroll: true });
  }, []);
  useEffect(() => {
    if (FILLED.has(mode) && pane()?.dataset.form !== undefined) onFill?.(interrupt, mode, null, "open", "");
    if (mode && mode !== starts) pane()?.querySelector("textarea, input:not([type=hidden]), select")?.focus();
  }, [mode]);
  const decide = (kind) => {
    if (sent.current || shut) return; // a ref: two clicks may come before one render
    sent.current = true;
    filling.stop();
    lock();
    const from = pane(kind), form = from?.dataset.form === undefined ? null : collect(from);
    if (kind === "send") onSend?.(interrupt);
    else onDecide?.(interrupt, kind, from?.querySelector("textarea[data-note]")?.value ?? "", form, held);
  };
  const leave = () => { setMode(""); card.current.querySelector("[data-question]")?.focus(); };
  const click = (e) => {
    const button = e.target.closest("button[data-act]");
    if (!button || shut || button.getAttribute("aria-disabled") === "true") return;
    const act = button.dataset.act;
    if (act === "back") leave();
    else if (button.dataset.opens !== undefined) setMode(act);
    else decide(act);
  };
  const enter = (e) => { if (!e.currentTarget.contains(e.relatedTarget)) entered.current = Date.now(); };
  const press = (e) => {
    if (e.nativeEvent.isComposing) return;
    if (e.key === "Escape" && mode && mode !== starts) { e.preventDefault(); leave(); }
    else if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && mode) { e.preventDefault(); pane()?.querySelector(`button[data-act="${mode}"]`)?.click(); }
    else if (isTyping(e.target) || e.ctrlKey || e.metaKey || e.altKey || e.repeat || (mode && mode !== starts && mode !== "change")) return;
    else if (pref("keys") !== "off" && Date.now() - entered.current >= ARMED_AFTER) card.current.querySelector(`button[data-key="${e.key.toLowerCase().replace(/\W/g, "")}"]`)?.click();
  };
  return (
    <Guard.Provider value={shut}>
      <div className={`ask${locked ? " is-busy" : ""}`} data-mode={mode} data-held={kept ? "" : undefined} data-over={over ? "" : undefined} ref={card} role="group" aria-label={label} aria-busy={locked} onClick={click} onFocus={enter} onKeyDown={press} {...filling.events}>{children}</div>
    </Guard.Provider>
  );
};
export const AskActs = ({ pane, form, className, children }) => (
  <fieldset className={className} data-pane={pane} data-form={form || undefined} disabled={useContext(Guard)}>{children}</fieldset>
);
