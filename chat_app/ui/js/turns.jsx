// What a person does with a turn, as far as only the browser can tell: which pane is open under it, the text being
// edited, and which row ends a turn.
import { createContext, useContext, useEffect, useId, useMemo, useRef, useState } from "react";
import { takeBack } from "./composer.jsx";
import { get, textOf, useRows } from "./live.jsx";

// ---------------------------------------------------------------- panes under a row: one at a time
const Open = createContext(["", () => {}, ""]);
export const Panes = ({ className, children, ...rest }) => {
  const [open, show] = useState(""), id = useId(), box = useRef(null), opener = useRef(null);
  const set = (name) => { if (name) opener.current = document.activeElement; show(name); if (!name) opener.current?.focus({ preventScroll: true }); };
  const onKeyDown = (e) => { if (e.key === "Escape" && open) { e.preventDefault(); e.stopPropagation(); set(""); } };
  return <Open value={[open, set, id]}><article ref={box} className={`${className} ${open && `is-${open}`}`} onKeyDown={onKeyDown} {...rest}>{children}</article></Open>;
};
export const Opener = ({ name, label, onOpen, className, children }) => {
  const [open, set, id] = useContext(Open), is = open === name;
  const act = () => { set(is ? "" : name); if (!is) onOpen?.(); };
  return <button type="button" className={className ?? "btn btn-icon"} aria-label={label} title={label} aria-expanded={is} aria-controls={is ? `${id}${name}` : undefined} onClick={act}>{children}</button>;
};
export const Pane = ({ name, className, children }) => {
  const [open, , id] = useContext(Open);
  return open === name ? <div id={`${id}${name}`} className={className}>{children}</div> : null;
};
export const Closer = ({ onClick, className, children }) => {
  const [, set] = useContext(Open);
  return <button type="button" className={className} onClick={() => { set(""); onClick?.(); }}>{children}</button>;
};

// ---------------------------------------------------------------- a text that is written anew
export const Writing = ({ row, label, send, cancel, initial, optional, kept, onSend }) => {
  const [, set] = useContext(Open), box = useRef(null);
  const first = row ? get("rows").find(({ key }) => key === row)?.parts.filter(({ kind }) => kind === "text").map((part) => textOf(row, part.key)).join("\n") : initial;
  const [blank, setBlank] = useState(!/\S/.test(first ?? ""));
  const said = useRef(false); // sent, or given up: nothing is left to keep
  useEffect(() => { const field = box.current; return () => { if (kept && !said.current && field.value !== first) takeBack(field.value); }; }, []);
  useEffect(() => { box.current.focus(); box.current.setSelectionRange(box.current.value.length, box.current.value.length); }, []);
  const submit = (e) => { e?.preventDefault(); if (blank && !optional) return; said.current = true; onSend(box.current.value); set(""); };
  const giveUp = () => { said.current = true; set(""); };
  const keys = (e) => { if (e.key === "Escape") said.current = true; if (e.key === "Enter" && !e.shiftKey && !e.nativeEvent.isComposing) submit(e); };
  return (
    <form className="writing" onSubmit={submit}>
      <textarea ref={box} className="input" dir="auto" rows={2} aria-label={label} defaultValue={first} onKeyDown={keys} onInput={(e) => setBlank(!/\S/.test(e.target.value))} />
      <div className="row">
        <button type="submit" className="btn btn-solid btn-sm" disabled={blank && !optional}>{send}</button>
        <button type="button" className="btn btn-sm" onClick={giveUp}>{cancel}</button>
      </div>
    </form>
  );
};

// ---------------------------------------------------------------- turns
const SPOKEN = ["user", "turn"];
// The row that ends each turn: whether nobody has spoken since, and how many calls the turn made.
export const useTurnEnds = () => {
  const rows = useRows();
  return useMemo(() => {
    const ends = {};
    let calls = 0, end = null;
    for (const row of rows.filter(({ kind }) => SPOKEN.includes(kind))) {
      if (end) ends[end] = { last: false, calls };
      if (row.kind === "user") { end = null; calls = 0; continue; }
      if (end && !row.head) delete ends[end];
      end = row.key;
      calls += row.parts.filter(({ kind }) => kind === "tool").length;
    }
    if (end) ends[end] = { last: true, calls };
    return ends;
  }, [rows]);
};
