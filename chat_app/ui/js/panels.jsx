// The state panel: what its views are, which one is open, where it stands on a wide and on a narrow page, and which
// values have just changed or are the person's. Draws its frame only; the views are Python.
import { useEffect, useMemo, useRef, useState } from "react";
import { giveBack } from "./dialog.jsx";
import { get, lookBack, put, useLive, words } from "./live.jsx";

const NARROW = "(max-width: 1040px)";
const KEPT = "parley.panel"; // open or closed, as the person left it on a wide page
const FRESH_MS = 1_800;

// ---------------------------------------------------------------- what is shown
const records = (panels, past) => past?.views ?? panels;
export const useView = (id) => { const past = useLive("past"); return records(useLive("panels"), past)[id]?.view; };
const NO_STANDING = Object.freeze({ status: "", at: "", where: "" });
export const useStanding = (id) => { const past = useLive("past"); return records(useLive("panels"), past)[id] ?? NO_STANDING; };
export const usePanelIds = () => { const past = useLive("past"), panels = useLive("panels"); return useMemo(() => Object.keys(records(panels, past)), [panels, past]); };
export const usePanelTab = (order) => { const wanted = useLive("tab"), ids = usePanelIds(); return ids.includes(wanted) ? wanted : order.find((id) => ids.includes(id)) ?? order.at(-1); };
export const showTab = (id) => put("tab", id);

export const useVersion = () => {
  const past = useLive("past"), { count, at, by, mine } = useLive("shared");
  return useMemo(() => (past ? { ...past, live: false } : { number: count, count, at, by, mine, live: true }), [past, count, at, by, mine]);
};
export const backToLive = () => put("past", null);
const look = (number, { count }) => { if (number >= count) backToLive(); else if (number >= 1) lookBack(number); };
export const earlier = (version) => look(version.number - 1, version);
export const later = (version) => look(version.number + 1, version);
export const Versions = ({ label }) => {
  const version = useVersion(), [wanted, want] = useState(version.number);
  useEffect(() => want(version.number), [version.number]);
  const go = (e) => { want(Number(e.target.value)); look(Number(e.target.value), version); };
  return (
    <div className="grow">
      <input type="range" min="1" max={version.count} value={Math.max(1, wanted)} aria-label={label} onChange={go} />
      <div className="ticks" aria-hidden="true">{version.count <= 60 && Array.from({ length: version.count }, (_, i) => <i key={i} className={version.mine.includes(i + 1) ? "you" : undefined} />)}</div>
    </div>
  );
};

// ---------------------------------------------------------------- marks
export const useMark = (panel, name) => { // "", fresh for a moment, then kept until the next change
  const all = useLive("changed"), past = useLive("past"), mine = all[panel], hit = Boolean(mine?.has(name)) && !past, [fresh, setFresh] = useState(false);
  useEffect(() => {
    if (!hit) return undefined;
    setFresh(true);
    const timer = setTimeout(() => setFresh(false), FRESH_MS);
    return () => { clearTimeout(timer); setFresh(false); };
  }, [mine, hit]);
  return hit ? (fresh ? "fresh" : "kept") : "";
};
export const useYours = (pointer) => {
  const { yours } = useLive("shared"), past = useLive("past");
  return Boolean(pointer) && !past && yours.some((one) => one === pointer || one.startsWith(`${pointer}/`) || pointer.startsWith(`${one}/`));
};
export const Item = ({ panel, name, pointer, className, children }) => {
  const mark = useMark(panel, `#${name}`), yours = useYours(pointer);
  return (
    <li className={`${className ?? ""}${mark === "fresh" ? " changed" : ""}${yours ? " yours" : ""}`}>
      {children}
      {yours ? <span className="tag mark">{words.yours}</span> : mark && <span className="tag tag-live mark">{words.changed}</span>}
      {yours && <span className="sub">{words.yours_detail}</span>}
    </li>
  );
};

// ---------------------------------------------------------------- the frame
const isNarrow = () => matchMedia(NARROW).matches;
const kept = () => { try { return localStorage.getItem(KEPT); } catch { return null; } };
const keep = (value) => { try { localStorage.setItem(KEPT, value); } catch { /* a browser without storage forgets */ } };
const set = (value) => { put("panel", value); if (!isNarrow()) keep(value); };
export const togglePanel = () => set(get("panel") === "open" ? "" : "open");
const useNarrow = () => {
  const [narrow, setNarrow] = useState(false);
  useEffect(() => { const media = matchMedia(NARROW), read = () => setNarrow(media.matches); read(); media.addEventListener("change", read); return () => media.removeEventListener("change", read); }, []);
  return narrow;
};
const FOCUSABLE = "button:not(:disabled), a[href], input, textarea, select, [tabindex='0']";
export const PanelFrame = ({ label, children }) => {
  const open = useLive("panel") === "open", narrow = useNarrow(), box = useRef(null), modal = open && narrow;
  useEffect(() => { if (!isNarrow() && kept() === "open") put("panel", "open"); }, []);
  useEffect(() => {
    if (!modal) return undefined;
    const opener = document.activeElement, others = [...box.current.parentElement.children].filter((el) => el !== box.current && !el.matches(".scrim"));
    others.forEach((el) => { el.inert = true; });
    box.current.querySelector(FOCUSABLE)?.focus();
    const close = (e) => { if (e.key === "Escape") { e.preventDefault(); e.stopPropagation(); put("panel", ""); } };
    document.addEventListener("keydown", close, true);
    return () => { document.removeEventListener("keydown", close, true); others.forEach((el) => { el.inert = false; }); giveBack(opener, box.current); };
  }, [modal]);
  if (!open) return null;
  return (
    <>
      {modal && <div className="scrim" onClick={() => put("panel", "")} />}
      <section ref={box} className={modal ? "panel as-sheet" : "panel"} role={modal ? "dialog" : "complementary"} aria-modal={modal || undefined} aria-label={label}>{children}</section>
    </>
  );
};
