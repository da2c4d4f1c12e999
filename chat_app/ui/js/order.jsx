// The rows in the order everything in them arrived, one line each: a call and its result are two, under one number.
import { useEffect, useMemo } from "react";
import { put, useLive, useRows } from "./live.jsx";

const KEPT = "parley.order";
const load = () => { try { return localStorage.getItem(KEPT) ?? ""; } catch { return ""; } }; // storage may be off
const save = (name) => { try { localStorage.setItem(KEPT, name); } catch { /* until the next reload */ } };
export const useOrder = () => {
  useEffect(() => put("order", load()), []);
  return useLive("order") ?? "";
};
export const order = (name) => { save(name); put("order", name); };

const NOBODY = { name: "", status: "", result: "", started: "", ended: "", key: "" };
const entry = (kind, row, part = NOBODY, more = {}) => ({
  key: `${kind}:${row.key}:${part.key}`, kind, at: part.started || row.at, row: row.key, part: part.key,
  name: part.name, status: part.status, result: part.result, call: 0, ...more,
});
const ofPart = (row, part, number) => {
  if (part.kind !== "tool") return [entry(part.kind, row, part)];
  const call = number(), begun = entry("call", row, part, { call });
  return part.ended ? [begun, entry("result", row, part, { call, at: part.ended })] : [begun];
};
const OF_ROW = {
  user: (row) => row.parts.map((part) => entry("said", row, { ...part, started: row.at })),
  approval: (row) => [
    entry("asked", row, NOBODY, { name: row.tool }),
    ...(row.decided_at ? [entry("decided", row, NOBODY, { name: row.tool, status: row.decision, at: row.decided_at })] : []),
  ],
  note: (row) => [entry("ended", row, NOBODY, { status: row.code })],
};
export const useEntries = () => {
  const rows = useRows();
  return useMemo(() => {
    let calls = 0;
    const number = () => ++calls;
    const all = rows.flatMap((row) => OF_ROW[row.kind]?.(row) ?? row.parts.flatMap((part) => ofPart(row, part, number)));
    return all.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0)); // stable: the same moment keeps its order
  }, [rows]);
};
