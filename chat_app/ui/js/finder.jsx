// Search: a dialog over the page. The field keeps the keyboard; arrows choose among the hits, Enter opens the chosen
// one, Escape closes and gives the keyboard back. Which hits there are comes from the server; a hit opens at its row.
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { giveBack } from "./dialog.jsx";
import { get, put, send, useLive, useRows, watch } from "./live.jsx";

const PAUSE = 150; // ms without a key before the server is asked
export const openFinder = () => { if (!document.querySelector("dialog[open]")) put("finding", true); };
export const closeFinder = () => put("finding", false);

export const Finder = ({ label, placeholder, found, onFind, children }) => {
  const open = useLive("finding"), box = useRef(null), field = useRef(null), timer = useRef(0), [at, setAt] = useState(0), [count, setCount] = useState(0);
  const hits = () => [...(box.current?.querySelectorAll(".hit") ?? [])];
  useEffect(() => {
    const press = (e) => { if (e.key.toLowerCase() === "k" && (e.ctrlKey || e.metaKey) && !e.shiftKey && !e.altKey && !e.isComposing) { e.preventDefault(); if (get("finding")) closeFinder(); else openFinder(); } };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, []);
  useEffect(() => {
    if (!open) return undefined;
    const before = document.activeElement;
    box.current.showModal();
    field.current.select();
    return () => { box.current?.close(); if (!get("goto")) giveBack(before, box.current); };
  }, [open]);
  useEffect(() => setAt(0), [found]);
  useEffect(() => { setCount(hits().length); hits().forEach((hit, i) => { hit.id = `hit-${i}`; hit.setAttribute("aria-selected", String(i === at)); if (i === at) hit.scrollIntoView({ block: "nearest" }); }); });
  const input = (e) => { const { value } = e.target; clearTimeout(timer.current); timer.current = setTimeout(() => onFind?.(value), PAUSE); };
  const press = (e) => {
    if (e.nativeEvent.isComposing) return;
    if (e.key === "Escape") { e.preventDefault(); closeFinder(); return; } // else the field would only be emptied
    const step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (step && count) { e.preventDefault(); setAt((at + step + count) % count); }
    const hit = e.key === "Enter" && hits()[at];
    if (!hit) return;
    e.preventDefault();
    if (e.ctrlKey || e.metaKey) window.open(hit.href, "_blank", "noopener"); else hit.click();
  };
  const click = (e) => { if (e.target === box.current) closeFinder(); else if (e.target.closest(".hit") && !e.ctrlKey && !e.metaKey) { put("goto", e.target.closest(".hit").dataset.key ?? ""); closeFinder(); } };
  return (
    <dialog ref={box} className="dialog finder" aria-label={label} onClose={closeFinder} onClick={click}>
      {open && <div className="finder-in"><svg className="i" aria-hidden="true"><use href="/icons.svg#search" /></svg><input ref={field} type="search" placeholder={placeholder} aria-label={placeholder} role="combobox" aria-expanded={count > 0} aria-controls={count ? "hits" : undefined} aria-activedescendant={count ? `hit-${at}` : undefined} autoComplete="off" onInput={input} onKeyDown={press} /><kbd aria-hidden="true">Esc</kbd></div>}
      {open && children}
    </dialog>
  );
};

// Brings the row that the address names (`?at=position`) into view, from older pages where it is not here yet.
export const GoTo = () => {
  const { search, key } = useLocation(), rows = useRows(), ready = useLive("ready"), done = useRef("");
  const at = new URLSearchParams(search).get("at"), wanted = at === null ? NaN : Number(at);
  useEffect(() => {
    // what was drawn may be of the thread before: what is held now says whether this one is here
    if (!ready || !get("ready") || !get("rows").length || Number.isNaN(wanted) || done.current === key) return;
    if (get("later")) return; // the older rows held are about to be drawn
    const row = rows.find((one) => one.position === wanted);
    if (!row && get("older") && rows.length && rows[0].position > wanted) { // asked for once; the answer comes by here
      if (!get("paging") && send({ older: { thread: get("thread"), before: get("rows")[0].position, until: wanted } })) put("paging", true);
      return;
    }
    done.current = key;
    put("goto", "");
    const el = row && document.querySelector(`[data-row="${CSS.escape(row.key)}"]`);
    if (!el) return;
    el.setAttribute("tabindex", "-1");
    el.classList.add("sought");
    tellReader(el);
  }, [rows, ready, wanted, key]);
  useEffect(() => watch("thread", () => { done.current = ""; }), []);
  return null;
};
const tellReader = (el) => requestAnimationFrame(() => {
  put("away", "away");
  el.scrollIntoView({ block: "center" });
  el.focus({ preventScroll: true });
  document.querySelector(".scroll")?.dispatchEvent(new Event("reading"));
});
