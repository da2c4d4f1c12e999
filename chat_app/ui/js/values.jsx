// Texts of calls and approvals as people read them: names in words, long texts cut until asked for, invisible
// characters shown.
import { useState } from "react";
import { useText, words } from "./live.jsx";

// Controls, zero-width and bidi characters, line and paragraph separators, tags, and odd spaces; not tab or newline.
const INVISIBLE = /[\u0000-\u0008\u000b-\u001f\u007f-\u00a0\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff0-\ufffb\u{1d173}-\u{1d17a}\u{e0000}-\u{e0fff}]|(?<![\p{Extended_Pictographic}#*0-9])\ufe0f/gu;
const codePoint = (c) => `⟨U+${c.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`;
export const Visible = ({ text, className }) => {
  const out = [];
  let at = 0;
  for (const { 0: c, index } of text.matchAll(INVISIBLE)) { out.push(text.slice(at, index), <code className="unseen" key={index}>{codePoint(c)}</code>); at = index + c.length; }
  return <span className={className} dir="auto">{out}{text.slice(at)}</span>;
};

export const title = (name) => {
  const spaced = name.replace(/[_\-.:/]+/g, " ").replace(/([\p{Ll}\d])(\p{Lu})/gu, "$1 $2").trim().toLowerCase();
  return spaced ? spaced[0].toUpperCase() + spaced.slice(1) : name;
};
// The verb of a question, where the tool is called by it too: what the agent says it is and what it calls agree on it.
export const verb = (question, tool) => {
  const [first] = question.trim().split(/\s+/, 1), verb = first.toLowerCase();
  return /^\p{L}{2,20}$/u.test(verb) && title(tool).toLowerCase().split(" ").includes(verb) ? verb : "";
};
export const fingerprint = (digest) => (digest.replace(/^sha256:/, "").slice(0, 12).match(/.{1,4}/g) ?? []).join(" ");
export const initials = (name) => name.split(/\s+/).filter(Boolean).map((word) => [...word][0].toUpperCase()).filter((_, i, all) => i === 0 || i === all.length - 1).join("");

export const bytes = (n) => (n < 1000 ? `${n} B` : n < 1e6 ? `${(n / 1000).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`);
export const size = (text) => (text.length < 1000 ? `${text.length} B` : text.length < 1e6 ? `${(text.length / 1000).toFixed(1)} kB` : `${(text.length / 1e6).toFixed(1)} MB`);
export const LONG = { chars: 2000, lines: 12 };
const cutAt = (text) => { let at = -1; for (let i = 0; i < LONG.lines && at < LONG.chars; i++) { at = text.indexOf("\n", at + 1); if (at < 0) return Math.min(text.length, LONG.chars); } return Math.min(at, LONG.chars); };
export const Long = ({ text, className, as: Tag = "div" }) => {
  const [all, setAll] = useState(false), cut = all ? text.length : cutAt(text);
  return (
    <>
      <Tag className={className} dir="auto">{text.slice(0, cut)}{cut < text.length && "…"}</Tag>
      {cut < text.length && <button type="button" className="btn btn-quiet btn-sm" onClick={() => setAll(true)}>{words.show_all} ({size(text)})</button>}
    </>
  );
};
export const Plain = ({ row, part, className }) => <Long text={useText(row, part)} className={className} />;
