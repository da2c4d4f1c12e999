// The thread list beyond what it shows at once: further pages, the archive, the menu of a thread, renaming in place.
import { useEffect, useLayoutEffect, useRef } from "react";
import { giveBack, show } from "./dialog.jsx";
import { frames, get, put, send, useLive } from "./live.jsx";

const newest = (a, b) => (a.updated < b.updated ? 1 : a.updated > b.updated ? -1 : 0);
frames.list = ({ threads, more, archived }) => {
  const held = new Set(threads.map((thread) => thread.id));
  put("threads", [...get("threads").filter((thread) => !held.has(thread.id)), ...threads].sort(newest));
  put(archived ? "moreArchived" : "more", more);
  asked = "";
};
let asked = "";
const further = (archived) => {
  const last = get("threads").filter((thread) => thread.archived === archived && !thread.pinned).at(-1);
  const name = `${archived} ${last?.id}`;
  if (asked !== name && send({ list: { archived, ...(last && { updated: last.updated, id: last.id }) } })) asked = name;
};
export const toggleArchive = () => {
  const archive = !get("archive");
  put("archive", archive);
  if (archive && !get("threads").some((thread) => thread.archived)) further(true);
};
// At the end of the list: asks for the next page when it comes near.
export const More = ({ children }) => {
  const end = useRef(null), archive = useLive("archive"), more = useLive(archive ? "moreArchived" : "more"), count = useLive("threads").length;
  useEffect(() => {
    if (!more) return undefined;
    const watcher = new IntersectionObserver(([seen]) => seen.isIntersecting && further(archive), { rootMargin: "400px" });
    watcher.observe(end.current);
    return () => watcher.disconnect();
  }, [more, archive, count]);
  return more ? <p ref={end} className="hint">{children}</p> : null;
};

const NOBODY = Object.freeze({ id: "", title: "", mark: "", unread: false, updated: "", agent: "", pinned: false, archived: false, tags: Object.freeze([]) });
const useNamed = (name) => { const id = useLive(name); return useLive("threads").find((thread) => thread.id === id) ?? NOBODY; };
export const useChosen = () => useNamed("chosen");
export const useDeleting = () => useNamed("deleting");

// One menu for every line: the button of a line says which it is about, and where it opens.
export const openMenu = (id) => put("chosen", id);
export const rename = () => { put("renaming", get("chosen")); put("chosen", ""); };
export const askDelete = () => { put("deleting", get("chosen")); put("chosen", ""); show("delete"); };
export const closeMenu = () => put("chosen", "");
const opener = (id) => document.querySelector(`[data-menu="${CSS.escape(id)}"]`);
const place = (box, button) => {
  const at = button.getBoundingClientRect(), below = window.innerHeight - at.bottom;
  const left = document.dir === "rtl" ? at.left : at.right - box.offsetWidth;
  box.style.left = `${Math.max(8, Math.min(left, window.innerWidth - box.offsetWidth - 8))}px`;
  box.style.top = `${Math.max(8, below > box.offsetHeight ? at.bottom + 4 : at.top - box.offsetHeight - 4)}px`;
};
export const Menu = ({ label, children }) => {
  const id = useLive("chosen"), box = useRef(null), renaming = useRef(false);
  useLayoutEffect(() => {
    const button = id && opener(id);
    if (!button) return undefined;
    box.current.showPopover();
    place(box.current, button);
    box.current.querySelector("button")?.focus();
    return () => { box.current?.hidePopover?.(); if (!get("renaming")) giveBack(opener(id)); };
  }, [id]);
  const press = (e) => {
    if (!["ArrowDown", "ArrowUp"].includes(e.key)) return;
    const all = [...box.current.querySelectorAll("button, input")], at = all.indexOf(document.activeElement);
    e.preventDefault();
    all.at((at + (e.key === "ArrowDown" ? 1 : -1)) % all.length)?.focus();
  };
  const toggled = (e) => { if (e.newState === "closed" && !renaming.current) put("chosen", ""); };
  return <div ref={box} popover="auto" className="menu" role="dialog" aria-label={label} onToggle={toggled} onKeyDown={press}>{id && children}</div>;
};

// The title of a line as a field: Enter and leaving it keep what is written, Escape does not.
export const Rename = ({ thread, title, label, onRename }) => {
  const box = useRef(null), done = useRef(false);
  useEffect(() => { box.current.focus(); box.current.select(); }, []);
  const end = (keep) => {
    if (done.current) return;
    done.current = true;
    const text = box.current.value.trim();
    put("renaming", "");
    if (keep && text && text !== title) onRename?.(thread, text);
    requestAnimationFrame(() => giveBack(opener(thread)));
  };
  const press = (e) => {
    if (e.nativeEvent.isComposing) return;
    if (e.key === "Enter") { e.preventDefault(); end(true); }
    if (e.key === "Escape") { e.preventDefault(); e.stopPropagation(); end(false); }
  };
  return <input ref={box} className="input thr-name" defaultValue={title} aria-label={label} maxLength={160} onKeyDown={press} onBlur={() => end(true)} dir="auto" />;
};

// What was just done and can be taken back, for a while; the clock stands while the pointer or the keyboard is on it.
export const Toast = ({ about, seconds, onGone, children }) => {
  const timer = useRef(0), gone = useRef(onGone);
  useEffect(() => { gone.current = onGone; });
  const wait = () => { clearTimeout(timer.current); timer.current = setTimeout(() => gone.current?.(about), seconds * 1000); };
  const hold = () => clearTimeout(timer.current);
  useEffect(() => { wait(); return hold; }, [about]);
  return <div className="toast" role="status" onPointerEnter={hold} onPointerLeave={wait} onFocus={hold} onBlur={wait}>{children}</div>;
};
