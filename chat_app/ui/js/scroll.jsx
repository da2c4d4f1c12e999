// Keeps the end in view while the reader is there, and what is being read in place while they are not.
import { useEffect, useLayoutEffect, useRef } from "react";
import { get, older, put, useRows, watch } from "./live.jsx";

const NEAR = 50; // px from the end that still count as the end
const AHEAD = 800; // px from the start at which the page before is asked for

const keeper = (box, content) => {
  let following = true, last = 0, held = null;
  const below = () => box.scrollHeight - box.clientHeight - box.scrollTop;
  const show = () => put("away", following ? "" : get("away") || "away");
  const toEnd = () => { box.scrollTop = box.scrollHeight; last = box.scrollTop; };
  const follow = () => { following = true; show(); toEnd(); };
  const scrolled = () => {
    const top = box.scrollTop;
    if (below() < 2 || (top > last && below() < NEAR)) following = true;
    else if (top < last - 1) following = false; // the reader went up: never pulled back
    last = top;
    show();
    if (top < AHEAD) older();
  };
  const grown = () => {
    if (following) toEnd();
  };
  const note = () => { // before rows are replaced: the row at the top of the view, and where it stands
    const edge = box.getBoundingClientRect().top;
    const row = [...content.querySelectorAll("[data-row]")].find((el) => el.getBoundingClientRect().bottom > edge);
    held = row ? { key: row.dataset.row, top: row.getBoundingClientRect().top } : null;
  };
  const restore = () => {
    const row = held && !following && content.querySelector(`[data-row="${CSS.escape(held.key)}"]`);
    if (row) { box.scrollTop += row.getBoundingClientRect().top - held.top; last = box.scrollTop; }
    held = null;
    if (following) toEnd();
  };
  const arrived = () => { if (!following) put("away", "new"); };
  const observer = new ResizeObserver(grown);
  observer.observe(content);
  observer.observe(box);
  box.addEventListener("scroll", scrolled, { passive: true });
  box.addEventListener("reading", () => { following = false; last = box.scrollTop; show(); }); // a row was gone to
  const unwatch = [watch("replacing", note), watch("thread", follow), watch("accepted", follow), watch("arrived", arrived)];
  const end = () => { observer.disconnect(); box.removeEventListener("scroll", scrolled); unwatch.forEach((stop) => stop()); };
  return { follow, restore, end };
};

let current = null;
export const jump = () => { current?.follow(); document.getElementById("composer")?.focus({ preventScroll: true }); };

export const Scroller = ({ label, children }) => {
  const box = useRef(null), content = useRef(null), mine = useRef(null), rows = useRows();
  useEffect(() => {
    const kept = (current = mine.current = keeper(box.current, content.current));
    kept.follow();
    return () => { kept.end(); if (current === kept) current = null; };
  }, []);
  useLayoutEffect(() => mine.current?.restore(), [rows]);
  return <div className="scroll" ref={box} tabIndex={0} role="region" aria-label={label}><div className="col" ref={content}>{children}</div></div>;
};
