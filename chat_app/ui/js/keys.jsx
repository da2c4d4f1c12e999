// The keys of the page. A single letter counts only while nobody types, and all of them can be switched off; keys of
// the browser, of the system and of an input method are left alone.
import { useEffect } from "react";
import { useNavigate } from "react-router";
import { isCovered, show } from "./dialog.jsx";
import { pref } from "./prefs.jsx";
import { toggleSide } from "./shell.jsx";

const isTyping = (target) => target.isContentEditable || target.matches?.("textarea, select, input:not([type=checkbox], [type=radio], [type=button])");
const lines = () => [...document.querySelectorAll(".transcript article")];
// Goes to the message before or after the one that has the keyboard, or to the last one.
const step = (by) => {
  const all = lines(), at = all.indexOf(document.activeElement?.closest("article"));
  const next = all[at < 0 ? all.length - 1 : Math.min(all.length - 1, Math.max(0, at + by))];
  next?.setAttribute("tabindex", "-1");
  next?.focus();
};
const press = (selector) => document.querySelector(selector)?.click();
export const ACTS = {
  help: () => show("keys"), settings: () => show("settings"), side: toggleSide, panel: () => press(".panel-button"),
  box: () => document.getElementById("composer")?.focus(), next: () => step(1), previous: () => step(-1),
};

export const Keys = ({ letters }) => {
  const go = useNavigate();
  useEffect(() => {
    const heard = (e) => {
      if (pref("keys") === "off" || e.defaultPrevented || e.isComposing || e.repeat || isCovered()) return;
      const chord = e.ctrlKey || e.metaKey, act = chord ? !e.altKey && e.key === "/" && "help" : !e.altKey && !isTyping(e.target) && !e.target.closest?.(".ask") && letters[e.key];
      if (!act) return;
      e.preventDefault();
      if (act === "new") go("/"); else ACTS[act]();
    };
    document.addEventListener("keydown", heard);
    return () => document.removeEventListener("keydown", heard);
  }, [letters, go]);
  return null;
};
