// Which rows stand where: those of a subagent in its lane, the others in the transcript; and the JSON of a part, read.
import { useMemo } from "react";
import { useLive, useText } from "./live.jsx";

export const DEEPEST = 3; // lanes within lanes; what is deeper is drawn in the third, each row named for its subagent
const idOf = (row) => row.parts[0]?.key;
const lanesOf = (rows) => new Map(rows.filter((row) => row.kind === "lane").map((row) => [idOf(row), row]));

// A row whose lane is not held (it was on an older page) stands in the transcript rather than nowhere.
export const top = (rows) => {
  if (!rows.some((row) => row.lane)) return rows;
  const lanes = lanesOf(rows);
  return rows.filter((row) => !row.lane || !lanes.has(row.lane));
};
const within = (lanes, row, lane) => { for (let id = row.lane, left = 50; id && left; left--) { if (id === lane) return true; id = lanes.get(id)?.lane; } return false; };
const inside = (rows, lane, depth) => {
  if (depth < DEEPEST) return rows.filter((row) => row.lane === lane);
  const lanes = lanesOf(rows);
  return rows.filter((row) => within(lanes, row, lane)).map((row) => (row.lane === lane ? row : { ...row, within: lanes.get(row.lane).parts[0].name }));
};
export const useLane = (lane, depth) => { const rows = useLive("rows"); return useMemo(() => inside(rows, lane, depth), [rows, lane, depth]); };

const NOTHING = Object.freeze({});
export const useJson = (row, part) => {
  const text = useText(row, part);
  return useMemo(() => { try { return JSON.parse(text); } catch { return NOTHING; } }, [text]);
};
