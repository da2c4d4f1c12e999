// Which rows are drawn: those that fill the screen first, and the older ones when these are on it. A reader at the end
// sees the newest rows a good deal sooner that way.
import { useEffect, useMemo } from "react";
import { top } from "./lanes.jsx";
import { get, put, tell, useLive } from "./live.jsx";

// About the px a row takes, rather too few; what is folded away by default counts nothing.
const lines = (text) => text.split("\n").reduce((sum, line) => sum + Math.ceil(line.trim().length / 120), 0);
const least = (row) => row.parts.reduce((px, part) => px + (part.kind === "text" ? 20 * lines(part.text ?? "") : 0), 40);
// How many of the rows at the top lie before the newest ones that fill the screen.
export const beyond = (all) => {
  const rows = top(all);
  let at = rows.length;
  for (let left = window.innerHeight; at > 0 && left > 0; at--) left -= least(rows[at - 1]);
  return at;
};

const drawAll = () => setTimeout(() => { if (get("later")) { tell("replacing"); put("later", 0); } });
export const useRows = () => { // what is drawn: every row held, but for the `later` oldest ones
  const rows = useLive("rows"), later = useLive("later");
  useEffect(() => { if (later) requestAnimationFrame(() => requestAnimationFrame(drawAll)); }, [later]); // the first frame is on the screen
  return useMemo(() => top(rows).slice(later), [rows, later]);
};
