// Copies texts as they were written: code, a person's line, the Markdown of an answer.
import { useState } from "react";
import { get, textOf, words } from "./live.jsx";

export const copyText = async (text) => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const box = Object.assign(document.createElement("textarea"), { value: text, className: "sr" }); // plain http
  document.body.append(box);
  box.select();
  document.execCommand("copy");
  box.remove();
};
export const Icon = ({ name }) => <svg className="i i-sm" aria-hidden="true"><use href={`/icons.svg#${name}`} /></svg>;
export const Copy = ({ text, label, className, children }) => {
  const [done, setDone] = useState(false);
  const act = () => copyText(text()).then(() => { setDone(true); setTimeout(() => setDone(false), 2000); });
  const word = done ? words.copied : label ?? words.copy;
  return (
    <button type="button" className={className ?? "btn btn-quiet btn-sm"} onClick={act} aria-label={children ? undefined : word} title={word}>
      <Icon name={done ? "check" : "copy"} />{children === undefined ? null : done ? words.copied : children}
      {done && <span className="sr" role="status">{words.copied}</span>}
    </button>
  );
};

// Copies the answer as it was written: the text parts of every row of the turn, without reasoning, calls and subagents.
export const CopyTurn = ({ row: key, label }) => {
  const text = () => {
    const held = get("rows"), last = held.findIndex((row) => row.key === key);
    let first = last;
    while (first > 0 && !held[first].head) first--;
    return held.slice(first, last + 1).filter((row) => !row.lane).flatMap((row) => row.parts.filter(({ kind }) => kind === "text").map((p) => textOf(row.key, p.key))).join("\n\n");
  };
  return <Copy text={text} label={label} className="btn btn-icon" />;
};
export const CopyLine = ({ row: key, label }) => {
  const text = () => get("rows").find((row) => row.key === key).parts.filter(({ kind }) => kind === "text").map((part) => textOf(key, part.key)).join("\n");
  return <Copy text={text} label={label} className="btn btn-icon" />;
};
