// How an approval card behaves: armed 400 ms after it appears, and its keys A and R 400 ms after a person went into it;
// locked by the first click; a note before a rejection. What it shows is drawn in Python (ui/rows/approval.py).
import { createContext, useContext, useEffect, useRef, useState } from "react";

const ARMED_AFTER = 400;
const UNLOCKED_AFTER = 10_000; // the server did not answer: let the person try again; it accepts one answer only
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
  return { locked, shut: !armed || locked || over, lock: () => setLocked(true) };
};

export const Ask = ({ interrupt, expires, problem, label, onDecide, children }) => {
  const card = useRef(null), sent = useRef(false), entered = useRef(Infinity), { locked, shut, lock } = useGuard(expires, problem), [mode, setMode] = useState("");
  useEffect(() => { if (!locked) sent.current = false; }, [locked]);
  useEffect(() => { // the question takes the focus from nobody: who is about to type must not decide by a letter
    if (document.activeElement === document.body) card.current.querySelector("[data-question]")?.focus({ preventScroll: true });
  }, []);
  useEffect(() => { if (mode) card.current.querySelector(`[data-pane="${mode}"] textarea`)?.focus(); }, [mode]);
  const decide = (kind) => {
    if (sent.current || shut) return; // a ref: two clicks may come before one render
    sent.current = true;
    lock();
    onDecide?.(interrupt, kind, card.current.querySelector(`[data-pane="${kind}"] textarea`)?.value ?? "");
  };
  const click = (e) => {
    const button = e.target.closest("button[data-act]");
    if (!button || shut) return;
    const act = button.dataset.act;
    if (act === "back") { setMode(""); card.current.querySelector("[data-question]")?.focus(); }
    else if (button.dataset.opens !== undefined) setMode(act);
    else decide(act);
  };
  const enter = (e) => { if (!e.currentTarget.contains(e.relatedTarget)) entered.current = Date.now(); };
  const press = (e) => {
    if (e.nativeEvent.isComposing) return;
    if (e.key === "Escape" && mode) { e.preventDefault(); setMode(""); }
    else if (isTyping(e.target)) { if (e.key === "Enter" && (e.ctrlKey || e.metaKey) && mode) { e.preventDefault(); decide(mode); } }
    else if (!e.ctrlKey && !e.metaKey && !e.altKey && !e.repeat && !mode && Date.now() - entered.current >= ARMED_AFTER) card.current.querySelector(`button[data-key="${e.key.toLowerCase().replace(/\W/g, "")}"]`)?.click();
  };
  return (
    <Guard.Provider value={shut}>
      <section className={`ask${locked ? " is-busy" : ""}`} data-mode={mode} ref={card} aria-label={label} aria-busy={locked} onClick={click} onFocus={enter} onKeyDown={press}>{children}</section>
    </Guard.Provider>
  );
};
export const AskActs = ({ pane, children }) => <fieldset className="ask-acts" data-pane={pane} disabled={useContext(Guard)}>{children}</fieldset>;
