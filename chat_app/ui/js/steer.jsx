// The question that comes up when a line is sent while the agent waits for a decision. Words are in ui/ask/steer.py.
import { useEffect, useRef } from "react";
import { put, useLive } from "./live.jsx";
import { sendAnyway } from "./composer.jsx";

const firstQuestion = () => document.querySelector(".ask[data-mode] [data-question]");

export const Steer = ({ labelledby, describedby, children }) => {
  const box = useRef(null), open = useLive("steering");
  useEffect(() => { if (open) box.current.showModal(); else box.current.close(); }, [open]);
  const click = ({ target }) => {
    const choice = target.closest("button[data-steer]")?.dataset.steer;
    if (!choice) return;
    put("steering", false);
    box.current.close(); // before the focus goes elsewhere: closing gives it back to where it was
    if (choice === "send") sendAnyway();
    else firstQuestion()?.focus();
  };
  return <dialog ref={box} className="dialog steer" aria-labelledby={labelledby} aria-describedby={describedby} onClose={() => put("steering", false)} onClick={click}>{children}</dialog>;
};
