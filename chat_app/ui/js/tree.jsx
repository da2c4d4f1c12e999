// Any JSON as a tree: lists of like objects as tables, what changed marked, an earlier version compared with the one
// before it, and single values open to a person's change.
import { useState } from "react";
import { useLive, words } from "./live.jsx";
import { useMark, useYours } from "./panels.jsx";

const isDeep = (value) => typeof value === "object" && value !== null;
const step = (name) => String(name).replaceAll("~", "~0").replaceAll("/", "~1");
const SHORT = 300, MANY = 100, COLUMNS = 6;
const flat = (row) => isDeep(row) && !Array.isArray(row) && Object.values(row).every((v) => !isDeep(v));
const isTable = (value) => Array.isArray(value) && value.length > 1 && value.every(flat) && Object.keys(value[0]).length <= COLUMNS && value.every((row) => Object.keys(row).join() === Object.keys(value[0]).join());
const sizeOf = (value) => (Array.isArray(value) ? `[${value.length}]` : `{${Object.keys(value).length}}`);
const Value = ({ value, className }) => {
  const [all, setAll] = useState(false), text = isDeep(value) ? sizeOf(value) : JSON.stringify(value) ?? "";
  if (text.length <= SHORT || all) return <span className={className} dir="auto">{text}</span>;
  return <span className={className} dir="auto">{text.slice(0, SHORT)}… <button type="button" className="btn btn-quiet btn-sm" onClick={() => setAll(true)}>{words.show_all}</button></span>;
};
const kind = (value) => (typeof value === "string" ? "s" : "d");

const typed = (text, like) => { // a value keeps its kind; undefined when the text is none of it
  if (typeof like === "string") return text;
  try { const value = JSON.parse(text); return like === null || typeof value === typeof like ? value : undefined; } catch { return undefined; }
};
const Editor = ({ name, value, pointer, onEdit, onDone }) => {
  const [text, setText] = useState(typeof value === "string" ? value : JSON.stringify(value)), next = typed(text, value);
  const save = (e) => { e.preventDefault(); if (next === undefined) return; if (next !== value) onEdit(pointer, JSON.stringify(next)); onDone(); };
  const keys = (e) => { if (e.key === "Escape") { e.preventDefault(); e.stopPropagation(); onDone(); } };
  return (
    <form className="edit" onSubmit={save} onKeyDown={keys}>
      <input className="input" autoFocus value={text} onChange={(e) => setText(e.target.value)} aria-label={`${words.new_value} ${name}`} aria-invalid={next === undefined} dir="auto" />
      <button type="submit" className="btn btn-sm" disabled={next === undefined}>{words.save}</button>
      <button type="button" className="btn btn-quiet btn-sm" onClick={onDone}>{words.cancel}</button>
      {next === undefined && <span className="err" role="alert">{words.not_that_kind}</span>}
    </form>
  );
};

const Leaf = ({ name, value, was, diff, path, panel, onEdit }) => {
  const mark = useMark(panel, path), yours = useYours(path), [editing, edit] = useState(false);
  const sign = diff ? (was === undefined ? "add" : value === undefined ? "del" : JSON.stringify(was) === JSON.stringify(value) ? "" : "mod") : "";
  const spoken = { add: words.added, del: words.removed, mod: words.changed_from }[sign];
  if (editing) return <div className="leaf"><span className="key" dir="auto">{name}</span><Editor name={name} value={value} pointer={path} onEdit={onEdit} onDone={() => edit(false)} /></div>;
  return (
    <div className={`leaf ${sign}${mark === "fresh" ? " changed" : ""}${yours ? " yours" : ""}`}>
      <span className="key" dir="auto">{name}</span>
      {spoken && <span className="sr">{spoken}</span>}
      {(sign === "mod" || sign === "del") && <Value value={was} className="was" />}
      {sign === "mod" && <span className="sr">{words.changed_to}</span>}
      {value !== undefined && <Value value={value} className={isDeep(value) ? "faint" : kind(value)} />}
      {yours ? <span className="tag">{words.yours}</span> : mark && <span className="tag tag-live">{words.changed}</span>}
      {onEdit && value !== undefined && !isDeep(value) && <button type="button" className="btn btn-quiet btn-sm pen" onClick={() => edit(true)} aria-label={`${words.edit} ${name}`}>{words.edit}</button>}
      {yours && <span className="sub">{words.yours_detail}</span>}
    </div>
  );
};

const Cell = ({ value, path, panel }) => {
  const mark = useMark(panel, path), yours = useYours(path);
  return (
    <td className={`${typeof value === "number" ? "num" : ""}${mark === "fresh" ? " changed" : ""}${yours ? " yours" : ""}`}>
      {typeof value === "string" && value.length <= SHORT ? <span dir="auto">{value}</span> : <Value value={value} />}
      {(yours || mark) && <span className="sr">{yours ? words.yours : words.changed}</span>}
    </td>
  );
};
const Table = ({ value, path, panel }) => {
  const columns = Object.keys(value[0]);
  return (
    <div className="tablebox" tabIndex={0} role="group" aria-label={words.table}>
      <table><thead><tr>{columns.map((name) => <th scope="col" key={name}>{name}</th>)}</tr></thead>
        <tbody>{value.slice(0, MANY).map((row, i) => <tr key={i}>{columns.map((name) => <Cell key={name} value={row[name]} path={`${path}/${i}/${step(name)}`} panel={panel} />)}</tr>)}</tbody></table>
    </div>
  );
};

const Branch = ({ name, value, was, diff, path, depth, ...rest }) => {
  const [open, setOpen] = useState(depth <= 3), shown = value ?? was, whole = diff && (value === undefined || was === undefined);
  const [raw, setRaw] = useState(false), table = !raw && !diff && isTable(value);
  const members = [...new Set([...Object.keys(isDeep(value) ? value : {}), ...(diff && isDeep(was) ? Object.keys(was) : [])])];
  return (
    <li>
      <div className={`leaf ${whole ? (was === undefined ? "add" : "del") : ""}`}>
        <button type="button" className="fold" aria-expanded={open} onClick={() => setOpen(!open)}><svg className={`i i-sm${open ? " down" : " i-flip"}`} aria-hidden="true"><use href="/icons.svg#chevron-right" /></svg><span className="key" dir="auto">{name}</span></button>
        <span className="faint">{sizeOf(shown)}</span>
        {isTable(value) && !diff && open && <button type="button" className="btn btn-quiet btn-sm" onClick={() => setRaw(!raw)}>{raw ? words.as_table : words.as_tree}</button>}
      </div>
      {open && (table ? <Table value={value} path={path} panel={rest.panel} /> : <ul>{members.slice(0, MANY).map((member) => <Node key={member} name={member} value={isDeep(value) ? value[member] : undefined} was={isDeep(was) ? was[member] : undefined} diff={diff} path={`${path}/${step(member)}`} depth={depth + 1} {...rest} />)}{members.length > MANY && <li className="faint">… {members.length - MANY}</li>}</ul>)}
    </li>
  );
};
const Node = (props) => {
  const { value, was, diff } = props;
  if (isDeep(value) || (diff && value === undefined && isDeep(was))) return <Branch {...props} />;
  return <li><Leaf {...props} /></li>;
};

const count = (was, now, sums) => {
  if (JSON.stringify(was) === JSON.stringify(now)) return sums;
  if (was === undefined) sums.added++;
  else if (now === undefined) sums.removed++;
  else if (isDeep(was) && isDeep(now)) new Set([...Object.keys(was), ...Object.keys(now)]).forEach((name) => count(was[name], now[name], sums));
  else sums.changed++;
  return sums;
};
export const Tree = ({ value, panel, editable, onEdit }) => {
  const past = useLive("past"), now = past ? past.now : value, was = past?.was, sums = past && count(was, now, { added: 0, changed: 0, removed: 0 });
  const members = isDeep(now) ? [...new Set([...Object.keys(now), ...(past && isDeep(was) ? Object.keys(was) : [])])] : [];
  return (
    <>
      {sums && <p className="sums"><span><b className="plus">+</b> {sums.added} {words.added}</span><span><b className="tilde">~</b> {sums.changed} {words.changed_count}</span><span><b className="minus">−</b> {sums.removed} {words.removed}</span></p>}
      {isDeep(now) && !members.length && <p className="muted">{words.state_empty}</p>}
      {isDeep(now) ? <ul className="tree">{members.map((name) => <Node key={name} name={name} value={now[name]} was={isDeep(was) ? was[name] : undefined} diff={Boolean(past)} path={`/${step(name)}`} depth={1} panel={panel} onEdit={editable && !past ? onEdit : undefined} />)}</ul> : <Value value={now} className="mono" />}
    </>
  );
};
