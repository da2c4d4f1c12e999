// JSON text as it arrives. Every character is looked at once, however many pieces it comes in, and values are shown as
// they were written: parsing would round long numbers and drop a name that stands twice.
import { stats } from "./live.jsx";

const isSpace = (c) => c === " " || c === "\n" || c === "\r" || c === "\t";

// Finds the members of the object a text begins with. `members` are [name, start, end]; the last is open while end < 0.
export const scanner = () => {
  let at = 0, depth = 0, inside = false, escaped = false, opened = -1, name = null, tail = "", members = [], state = "start"; // start, name, colon, value, over, no
  const reset = () => { at = 0; depth = 0; inside = false; escaped = false; opened = -1; name = null; members = []; state = "start"; };
  const open = (i) => { members = [...members, [name, i, -1]]; state = "value"; };
  const close = (i) => { if (members.length && members.at(-1)[2] < 0) members[members.length - 1] = [...members.at(-1).slice(0, 2), i]; };
  const quoted = (text, i, c) => {
    if (escaped) escaped = false;
    else if (c === "\\") escaped = true;
    else if (c === '"') {
      inside = false;
      if (state === "name") { try { name = JSON.parse(text.slice(opened, i + 1)); state = "colon"; } catch { state = "no"; } }
    }
  };
  const bare = (text, i, c) => {
    if (state === "start") { if (!isSpace(c)) state = c === "{" ? "name" : "no"; return; }
    if (state === "colon") { if (c === ":") state = "before"; return; }
    if (state === "before" && !isSpace(c)) open(i);
    if (c === '"') { inside = true; opened = i; }
    else if (state === "value" && (c === "{" || c === "[")) depth++;
    else if (state === "value" && depth && (c === "}" || c === "]")) depth--;
    else if (state === "value" && c === ",") { close(i); state = "name"; }
    else if (c === "}") { close(i); state = "over"; }
    else if (state === "name" && c !== "," && !isSpace(c)) state = "no";
  };
  return (text) => {
    if (text.length < at || !text.startsWith(tail, at - tail.length)) reset();
    stats.scanned = (stats.scanned ?? 0) + text.length - at;
    for (; at < text.length && state !== "no" && state !== "over"; at++) (inside ? quoted : bare)(text, at, text[at]);
    if (state !== "no" && state !== "over") tail = text.slice(Math.max(0, at - 16), at);
    return { is: state === "no" ? "other" : state === "start" ? "nothing" : "object", members, whole: state === "over" };
  };
};

// A value whose numbers keep their digits where the browser can (it then prints them raw).
const digits = (_, value, context) => (typeof value === "number" && JSON.rawJSON && context?.source && String(value) !== context.source ? JSON.rawJSON(context.source) : value);
export const read = (text) => { try { return JSON.parse(text, digits); } catch { return undefined; } };
export const isRaw = (value) => Boolean(JSON.isRawJSON?.(value));
export const isRecord = (value) => typeof value === "object" && value !== null && !Array.isArray(value) && !isRaw(value);
export const shown = (value) => (typeof value === "string" ? value : JSON.stringify(value));
export const isJson = (text) => { try { JSON.parse(text); return true; } catch { return false; } };
export const member = (text, name) => { const value = read(text)?.[name]; return value === undefined || value === null ? "" : shown(value); };
