// A call as it is drawn: arguments that fill key by key, results by content, and the line that folds open.
import { Children, useEffect, useMemo, useRef, useState } from "react";
import { get, put, useLive, useText, words } from "./live.jsx";
import { isJson, isRaw, isRecord, read, scanner, shown } from "./json.jsx";
import { LONG, Long, Visible } from "./values.jsx";

const More = ({ count, onClick }) => <button type="button" className="btn btn-quiet btn-sm" onClick={onClick}>{words.show_all} ({count})</button>;
const useScan = (text) => { const scan = useRef(null); scan.current ??= scanner(); return scan.current(text); };

const Members = ({ members, live }) => {
  const [all, setAll] = useState(false), held = all ? members : members.slice(0, LONG.lines);
  return (
    <>
      <dl className="kv">{held.map(([name, value], i) => [<dt key={`${i}`}><Visible text={name} /></dt>, <dd key={`${i}=`}><Long text={value} as="span" />{live && i === members.length - 1 && <span className="caret" />}</dd>])}</dl>
      {held.length < members.length && <More count={members.length} onClick={() => setAll(true)} />}
    </>
  );
};
const Table = ({ value }) => {
  const [all, setAll] = useState(false), names = Object.keys(value[0]), held = all ? value : value.slice(0, LONG.lines);
  return (
    <>
      <div className="tablebox" tabIndex={0} role="group" aria-label={words.table}>
        <table><thead><tr>{names.map((name) => <th scope="col" key={name}>{name}</th>)}</tr></thead>
          <tbody>{held.map((row, i) => <tr key={i}>{names.map((name) => <td key={name} dir="auto" className={typeof row[name] === "number" || isRaw(row[name]) ? "num" : undefined}>{shown(row[name] ?? "")}</td>)}</tr>)}</tbody></table>
      </div>
      {held.length < value.length && <More count={value.length} onClick={() => setAll(true)} />}
    </>
  );
};
const isFlat = (row) => isRecord(row) && Object.values(row).every((v) => typeof v !== "object" || v === null || isRaw(v));
const isTable = (value) => Array.isArray(value) && value.length > 0 && value.every(isFlat) && Object.keys(value[0]).length > 0 && Object.keys(value[0]).length <= 6;
const Nothing = () => <span className="faint">{words.none}</span>;

export const Arguments = ({ row, part, live }) => {
  const text = useText(row, part), { is, members, whole } = useScan(text), broken = useMemo(() => !live && text !== "" && !isJson(text), [live, text]);
  if (!text) return live ? null : <Nothing />;
  if (broken || is === "other") return <>{broken && <p className="hint">{words.not_json}</p>}<Long text={text} className="mono wrapped" /></>;
  if (!members.length) return live && !whole ? <span className="caret" /> : <Nothing />;
  return <Members live={live} members={members.map(([name, start, end]) => [name, text.slice(start, end < 0 ? undefined : end).trimEnd()])} />;
};

// Pictures in a result: only formats that cannot hold a script, only their own bytes, never an address.
const PICTURES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const isPicture = (v) => isRecord(v) && v.type === "image" && PICTURES.has(v.mimeType) && typeof v.data === "string" && /^[A-Za-z0-9+/=\s]+$/.test(v.data);
const isPiece = (v) => isPicture(v) || (isRecord(v) && v.type === "text" && typeof v.text === "string");
const cells = (line) => line.trim().replace(/^\||\|$/g, "").split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
const tableIn = (text) => { // a table in Markdown, and nothing else
  const lines = text.trim().split("\n");
  if (lines.length < 3 || !/^\s*\|?\s*:?-+/.test(lines[1]) || !lines.every((line) => line.includes("|"))) return undefined;
  const names = cells(lines[0]);
  return new Set(names).size === names.length ? lines.slice(2).map((line) => Object.fromEntries(cells(line).slice(0, names.length).map((cell, i) => [names[i], cell]))) : undefined;
};
const pretty = (v) => (typeof v === "object" && v !== null && !isRaw(v) ? JSON.stringify(v, null, 2) : shown(v));
const Content = ({ text }) => {
  const value = useMemo(() => read(text) ?? tableIn(text), [text]);
  if (isPicture(value)) return <Shown file={{ name: words.image, source: `data:${value.mimeType};base64,${value.data}` }} />;
  if (Array.isArray(value) && value.length && value.every(isPiece)) return value.map((piece, i) => (piece.type === "text" ? <Content key={i} text={piece.text} /> : <Content key={i} text={JSON.stringify(piece)} />));
  if (isRecord(value) && Object.keys(value).length) return <Members members={Object.entries(value).map(([name, v]) => [name, pretty(v)])} />;
  if (isTable(value)) return <Table value={value} />;
  if (value === undefined || typeof value === "string") return <Long text={value ?? text} className="wrapped" />;
  return <Long text={JSON.stringify(value, null, 2)} className="mono wrapped" />;
};
const host = (url) => { try { return new URL(url).host; } catch { return url; } };
const Shown = ({ file }) => {
  if (file.source) return <img className="result-image" src={file.source} alt={file.name} />;
  const elsewhere = /^https?:\/\//i.test(file.link ?? "");
  return <p className="result-file"><bdi>{elsewhere ? <a href={file.link} target="_blank" rel="noopener noreferrer nofollow">{file.name} ({host(file.link)})</a> : file.name}</bdi></p>;
};
export const Result = ({ text, files }) => (
  <>
    {text !== "" && <Content text={text} />}
    {(files ?? []).map((file, i) => <Shown key={i} file={file} />)}
  </>
);

const scalar = (raw) => { // a short value in a few characters; long and nested ones say nothing in one line
  if (raw[0] === "{" || raw[0] === "[" || raw === "null") return "";
  return raw[0] === '"' ? (read(raw.length <= 200 ? raw : "") ?? raw.slice(1, 80).replace(/\\[nrt]/g, " ").replace(/\\(["\\/])/g, "$1")).slice(0, 80) : raw.slice(0, 80);
};
export const Summary = ({ row, part }) => {
  const text = useText(row, part), { members } = useScan(text);
  const said = members.slice(0, 8).map(([, start, end]) => scalar(text.slice(start, Math.min(end < 0 ? text.length : end, start + 201)).trim())).filter(Boolean);
  return <span className="sum cut" dir="auto">{said.slice(0, 3).join(", ")}</span>;
};

// A step folds to one line: open by itself while `live` (but not in its first 200 ms) or `failed`, then as the person
// left it, as long as the page lives.
const left = new Map();
const KEPT = "parley.steps"; // storage may be off; the switch then holds until the page is left
const kept = () => { try { return localStorage.getItem(KEPT); } catch { return null; } };
const keep = (steps) => { try { localStorage.setItem(KEPT, steps); } catch { /* as above */ } };
export const toggleSteps = () => { const steps = get("steps") === "full" ? "compact" : "full"; left.clear(); put("steps", steps); keep(steps); };
export const Step = ({ name, live, failed, className, children }) => {
  const steps = useLive("steps"), [open, setOpen] = useState(left.get(name)), [ripe, setRipe] = useState(false), [head, ...body] = Children.toArray(children);
  useEffect(() => { if (kept() === "full") put("steps", "full"); }, []); // after the first paint: the built page shows lines
  useEffect(() => { setOpen(left.get(name)); }, [steps]);
  useEffect(() => { if (!live) return undefined; const timer = setTimeout(() => setRipe(true), 200); return () => clearTimeout(timer); }, [live]);
  const shows = open ?? Boolean(failed || (live && ripe) || (!live && steps === "full"));
  const toggle = (e) => { if (!e.target.closest("summary")) return; e.preventDefault(); left.set(name, !shows); setOpen(!shows); };
  return <details className={`step ${className ?? ""}`} open={shows} onClick={toggle}>{head}{shows && body}</details>;
};
