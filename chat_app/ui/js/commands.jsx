// Commands of the message box: while it holds a slash and the beginning of a name, those it fits stand above it. The
// box keeps the keyboard: arrows choose, Enter or Tab takes, Escape closes. Which there are is drawn by ui/commands.py.
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { write } from "./composer.jsx";
import { openFinder } from "./finder.jsx";
import { ACTS } from "./keys.jsx";
import { put, useLive } from "./live.jsx";
import { printAll } from "./paper.jsx";

const box = () => document.getElementById("composer");
export const beginCommand = () => { write("/"); box().focus(); };

export const Commands = ({ label, className, children }) => {
  const begun = useLive("begun"), list = useRef(null), go = useNavigate(), [at, setAt] = useState(0), [count, setCount] = useState(0);
  const fitting = () => [...(list.current?.children ?? [])].filter((one) => !one.hidden);
  const take = (option) => {
    const { text, act } = option.dataset;
    write(text);
    put("begun", "");
    if (act === "new") go("/"); else if (act === "search") openFinder(); else if (act === "print") printAll(); else if (act) ACTS[act](); else box().focus();
  };
  useLayoutEffect(() => {
    [...list.current.children].forEach((one) => { one.hidden = !begun || !one.dataset.name.startsWith(begun.slice(1).toLowerCase()); });
    setAt(0);
    setCount(fitting().length);
  }, [begun]);
  useLayoutEffect(() => {
    const all = fitting(), field = box();
    all.forEach((one, i) => one.setAttribute("aria-selected", String(i === at)));
    all[at]?.scrollIntoView({ block: "nearest" });
    if (all[at]) field.setAttribute("aria-activedescendant", all[at].id); else field.removeAttribute("aria-activedescendant");
  });
  useEffect(() => {
    if (!count) return undefined;
    const press = (e) => {
      const all = fitting(), step = { ArrowDown: 1, ArrowUp: -1 }[e.key];
      if (e.isComposing || e.keyCode === 229 || e.shiftKey || !(step || ["Enter", "Tab", "Escape"].includes(e.key))) return;
      e.preventDefault();
      e.stopPropagation(); // neither sends nor stops
      if (step) setAt((now) => (now + step + all.length) % all.length);
      else if (e.key === "Escape") put("begun", "");
      else take(all[at]);
    };
    const field = box();
    field.addEventListener("keydown", press);
    return () => field.removeEventListener("keydown", press);
  }, [count, at]);
  const click = (e) => { const option = e.target.closest("[role=option]"); if (option) take(option); };
  return <div id="commands" ref={list} role="listbox" aria-label={label} className={className} hidden={!count} onMouseDown={(e) => e.preventDefault()} onClick={click}>{children}</div>;
};
