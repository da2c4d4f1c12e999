// JSON Patch (RFC 6902) on values that nobody else may see change, the frames that carry the panels, and what they
// changed. Pure: no store, no React.
const names = (pointer) => pointer.split("/").slice(1).map((name) => name.replaceAll("~1", "/").replaceAll("~0", "~"));
const step = (name) => String(name).replaceAll("~", "~0").replaceAll("/", "~1");
const copied = (value) => (Array.isArray(value) ? value.slice() : { ...value });

// Copies what lies on the way to a place, and nothing beside it.
const changed = (value, [name, ...rest], edit) => {
  const copy = copied(value);
  if (rest.length) copy[name] = changed(copy[name], rest, edit);
  else edit(copy, name);
  return copy;
};
const insert = (item) => (at, name) => { if (Array.isArray(at)) at.splice(name === "-" ? at.length : Number(name), 0, item); else at[name] = item; };
const remove = (at, name) => { if (Array.isArray(at)) at.splice(Number(name), 1); else delete at[name]; };
const read = (value, path) => path.reduce((held, name) => held[name], value);

const ACTS = {
  add: (value, { path, value: item }) => changed(value, names(path), insert(item)),
  replace: (value, { path, value: item }) => changed(value, names(path), (at, name) => { at[name] = item; }),
  remove: (value, { path }) => changed(value, names(path), remove),
  move: (value, { from, path }) => changed(changed(value, names(from), remove), names(path), insert(read(value, names(from)))),
  copy: (value, { from, path }) => changed(value, names(path), insert(read(value, names(from)))),
};
export const patched = (value, ops) => ops.reduce((held, op) => (op.path === "" ? op.value : ACTS[op.op](held, op)), value);

// ---------------------------------------------------------------- what is another than before
const PLACES = new Set(["pointer", "edit", "turned"]); // where an item stands is not what it says
const said = (item) => JSON.stringify(item, (name, value) => (PLACES.has(name) ? undefined : value));
const items = (value, found = new Map()) => {
  if (typeof value !== "object" || value === null) return found;
  if (typeof value.key === "string") found.set(value.key, said(value));
  Object.values(value).forEach((held) => items(held, found));
  return found;
};
const MOST = 2_000;
const differing = (a, b, path, found) => {
  if (a === b || found.size > MOST) return;
  const deep = [a, b].every((value) => typeof value === "object" && value !== null) && Array.isArray(a) === Array.isArray(b);
  if (!deep) { found.add(path); return; }
  for (const name of Object.keys(b)) differing(a[name], b[name], `${path}/${step(name)}`, found);
};
// Items with a `key` are told by it wherever they moved to; anything else by its place.
export const marks = (before, after) => {
  const found = new Set(), old = items(before), now = items(after);
  differing(before, after, "", found);
  now.forEach((text, key) => { if (old.get(key) !== text) found.add(`#${key}`); });
  return found;
};

// ---------------------------------------------------------------- frames
export const NOTHING_SHARED = Object.freeze({ seen: false, count: 0, at: "", by: "", yours: Object.freeze([]), mine: Object.freeze([]) });
const hold = (b, id, record) => {
  const panels = b.get("panels"), before = panels[id];
  if (before) b.set("changed", { ...b.get("changed"), [id]: marks(before.view, record.view) });
  b.set("panels", { ...panels, [id]: record });
};
export const panelOps = {
  panel: hold,
  patch: (b, id, ops) => {
    const record = b.get("panels")[id];
    if (!record) return false;
    try { hold(b, id, patched(record, ops)); } catch { return false; }
  },
  shared: (b, shared) => b.set("shared", shared),
};
export const openPanels = (b, { views, shared }) => { b.set("panels", views); b.set("shared", shared); b.set("changed", {}); b.set("past", null); };
