// The frame of the page: the sidebar as a column or, on a phone, as a drawer; and what is said to people who listen.
import { useEffect, useRef, useState } from "react";
import { useLocation } from "react-router";
import { giveBack } from "./dialog.jsx";
import { get, put, textOf, useLive, watch } from "./live.jsx";

const PHONE = "(max-width: 760px)";
const isPhone = () => matchMedia(PHONE).matches;
export const toggleSide = () => { const on = isPhone() ? "open" : "hidden"; put("side", get("side") === on ? "" : on); };

export const SkipLink = ({ href, className, children }) => {
  const go = (e) => { e.preventDefault(); document.querySelector(href)?.focus(); };
  return <a href={href} className={className} onClick={go}>{children}</a>;
};

export const Frame = ({ children }) => {
  const side = useLive("side"), panel = useLive("panel"), path = useLocation().pathname, frame = useRef(null), opener = useRef(null);
  useEffect(() => { if (get("side") === "open") put("side", ""); }, [path]);
  useEffect(() => {
    if (side !== "open") { giveBack(opener.current, frame.current.querySelector(".side")); opener.current = null; return undefined; }
    opener.current = document.activeElement;
    frame.current.querySelector(".side a, .side button")?.focus();
    const close = (e) => { if (e.key === "Escape") { e.preventDefault(); put("side", ""); } };
    const leave = () => { if (!isPhone()) put("side", ""); };
    document.addEventListener("keydown", close);
    window.addEventListener("resize", leave);
    return () => { document.removeEventListener("keydown", close); window.removeEventListener("resize", leave); };
  }, [side]);
  return (
    <>
      <div ref={frame} className={`app${side === "open" ? " show-side" : ""}${side === "hidden" ? " no-side" : ""}${panel === "open" ? " has-panel" : ""}`}>{children}</div>
      {side === "open" && <div className="scrim" onClick={() => put("side", "")} />}
    </>
  );
};

const SPOKEN = 2000; // characters of an answer read out when it is complete; the log itself stays silent
export const Announcer = () => {
  const [said, say] = useState("");
  useEffect(() => watch("answered", () => {
    const rows = get("rows"), own = rows.slice(rows.findLastIndex((row) => row.kind === "user") + 1);
    const texts = own.filter((row) => !row.lane).flatMap((row) => row.parts.filter((part) => part.kind === "text").map((part) => textOf(row.key, part.key)));
    say(texts.join("\n").slice(0, SPOKEN));
  }), []);
  return <p className="sr" role="status">{said}</p>;
};
