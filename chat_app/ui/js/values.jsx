// Values of tool calls and approvals as people read them: argument lists that fill while they arrive, results by
// content, long texts cut until asked for, invisible characters shown.
import { Children, useEffect, useState } from "react";
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
  const spaced = name.replace(/[_\-.:/]+/g, " ").replace(/([a-z0-9])([A-Z])/g, "$1 $2").trim().toLowerCase();
  return spaced ? spaced[0].toUpperCase() + spaced.slice(1) : name;
};
export const fingerprint = (digest) => (digest.replace(/^sha256:/, "").slice(0, 12).match(/.{1,4}/g) ?? []).join(" ");
export const initials = (name) => name.split(/\s+/).filter(Boolean).map((word) => [...word][0].toUpperCase()).filter((_, i, all) => i === 0 || i === all.length - 1).join("");

// JSON as far as it has come: open strings and brackets are closed, a half-written member waits.
export const partial = (text) => {
  const stack = [];
  let inside = false, escaped = false, cut = -1, cutStack = "";
  const close = () => stack.toReversed().join("");
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (escaped) escaped = false;
    else if (inside) { if (c === "\\") escaped = true; else if (c === '"') inside = false; }
    else if (c === '"') inside = true;
    else if (c === "{" || c === "[") stack.push(c === "{" ? "}" : "]");
    else if (c === "}" || c === "]") stack.pop();
    else if (c === ",") { cut = i; cutStack = close(); }
  }
  const whole = escaped ? text.slice(0, -1) : text;
  const tails = inside ? ['"', '":null'] : ["", "null", ":null"];
  for (const tried of [...tails.map((tail) => whole + tail + close()), cut < 0 ? "{}" : text.slice(0, cut) + cutStack]) {
    try { return JSON.parse(tried); } catch { /* the next reading */ }
  }
  return undefined;
};
const read = (text) => { try { return JSON.parse(text); } catch { return undefined; } };
const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));

export const size = (text) => (text.length < 1000 ? `${text.length} B` : text.length < 1e6 ? `${(text.length / 1000).toFixed(1)} kB` : `${(text.length / 1e6).toFixed(1)} MB`);
const LONG = { chars: 2000, lines: 12 };
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

const List = ({ value, quoted, live }) => {
  const [all, setAll] = useState(false), members = Object.entries(value), held = all ? members : members.slice(0, LONG.lines);
  const text = (v, last) => (quoted && last && live && typeof v === "string" ? `"${v}` : quoted ? JSON.stringify(v) : shown(v));
  return (
    <>
      <dl className="kv">{held.map(([name, v], i) => [<dt key={name} dir="auto">{name}</dt>, <dd key={`${name}=`}><Long text={text(v, i === members.length - 1)} as="span" />{live && i === members.length - 1 && <span className="caret" />}</dd>])}</dl>
      {held.length < members.length && <button type="button" className="btn btn-quiet btn-sm" onClick={() => setAll(true)}>{words.show_all} ({members.length})</button>}
    </>
  );
};
const Rows = ({ value }) => {
  const [all, setAll] = useState(false), names = Object.keys(value[0]), held = all ? value : value.slice(0, LONG.lines);
  return (
    <>
      <div className="tablebox" tabIndex={0} role="group" aria-label={words.table}>
        <table><thead><tr>{names.map((name) => <th scope="col" key={name}>{name}</th>)}</tr></thead>
          <tbody>{held.map((row, i) => <tr key={i}>{names.map((name) => <td key={name} className={typeof row[name] === "number" ? "num" : undefined}>{shown(row[name] ?? "")}</td>)}</tr>)}</tbody></table>
      </div>
      {held.length < value.length && <button type="button" className="btn btn-quiet btn-sm" onClick={() => setAll(true)}>{words.show_all} ({value.length})</button>}
    </>
  );
};
const flat = (row) => isRecord(row) && Object.values(row).every((v) => typeof v !== "object" || v === null);

export const Arguments = ({ row, part, live }) => {
  const text = useText(row, part), value = live ? partial(text) : read(text);
  if (isRecord(value)) return Object.keys(value).length || live ? <List value={value} quoted live={live} /> : <span className="faint">{words.none}</span>;
  return text ? <Long text={text} className="mono wrapped" /> : <span className="faint">{words.none}</span>;
};
export const Result = ({ text }) => {
  const value = read(text);
  if (isRecord(value) && Object.keys(value).length) return <List value={value} />;
  if (Array.isArray(value) && value.length && value.every(flat) && Object.keys(value[0]).length <= 6) return <Rows value={value} />;
  return <Long text={value === undefined ? text : typeof value === "string" ? value : JSON.stringify(value, null, 2)} className={value === undefined ? "wrapped" : "mono wrapped"} />;
};
export const Summary = ({ row, part }) => {
  const value = partial(useText(row, part)), scalars = isRecord(value) ? Object.values(value).filter((v) => v !== null && typeof v !== "object" && v !== "") : [];
  return <span className="sum cut" dir="auto">{scalars.slice(0, 3).map((v) => String(v).slice(0, 80)).join(", ")}</span>;
};

// A step folds to one line: open by itself while `live` (but not in its first 200 ms) or `failed`, then as the person left it.
const left = new Map();
export const Step = ({ name, live, failed, className, children }) => {
  const [open, setOpen] = useState(left.get(name)), [ripe, setRipe] = useState(false), [head, ...body] = Children.toArray(children);
  useEffect(() => { if (!live) return undefined; const timer = setTimeout(() => setRipe(true), 200); return () => clearTimeout(timer); }, [live]);
  const shows = open ?? Boolean(failed || (live && ripe));
  const toggle = (e) => { if (!e.target.closest("summary")) return; e.preventDefault(); left.set(name, !shows); setOpen(!shows); };
  return <details className={`step ${className ?? ""}`} open={shows} onClick={toggle}>{head}{shows && body}</details>;
};
