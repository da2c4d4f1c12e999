// A dialog that is open while its name is: modal, so the browser keeps the keyboard inside and gives it back.
import { useEffect, useRef } from "react";
import { get, put, useLive, watch } from "./live.jsx";

export const show = (name) => put("dialog", name);
// Whether something stands in front of the page and has the keys to itself.
export const isCovered = () => document.querySelector("dialog[open], [role=dialog]:not([popover]), [popover]:popover-open") !== null;
export const hide = () => put("dialog", "");
// Gives the keyboard back to what had it before, unless the reader has gone on to something else meanwhile.
export const giveBack = (to, from) => {
  const at = document.activeElement;
  if (to?.isConnected && (!at || at === document.body || from?.contains(at))) to.focus();
};

export const Dialog = ({ name, label, className, children }) => {
  const open = useLive("dialog") === name, box = useRef(null), opener = useRef(null);
  useEffect(() => {
    if (!open) { box.current.close(); return undefined; }
    opener.current = document.activeElement;
    box.current.showModal();
    return () => giveBack(opener.current, box.current);
  }, [open]);
  const closed = () => { if (get("dialog") === name) hide(); };
  const outside = (e) => { if (e.target === box.current) hide(); }; // its own surface is covered by what is in it
  return <dialog ref={box} className={`dialog ${className ?? ""}`} aria-label={label} onClose={closed} onClick={outside}>{open && children}</dialog>;
};

// In a dialog that tells of a run: asks again when the thread's run has come to another state.
export const Following = ({ onTurn }) => {
  const turn = useRef(null);
  useEffect(() => { turn.current = onTurn; });
  useEffect(() => {
    let was = get("run").status;
    return watch("run", () => { const now = get("run").status; if (now !== was) { was = now; turn.current?.(); } });
  }, []);
  return null;
};
