// Drafts of the message box, by thread, in the storage of the browser; and what was typed before the page came alive.
const KEPT = "parley.draft."; // + thread id, or "new"

export const box = () => document.getElementById("composer");
export const isBlank = (text) => !/\S/.test(text);
export const draftOf = (thread) => KEPT + (thread || "new");
export const load = (key) => { try { return localStorage.getItem(key) ?? ""; } catch { return ""; } }; // storage may be off
export const save = (key, text) => { try { if (text) localStorage.setItem(key, text); else localStorage.removeItem(key); } catch { /* the box still holds it */ } };

const joined = (held, text) => (text.startsWith(held) ? text : `${held}\n${text}`);
export const moveDraft = (from, to) => {
  const rest = load(from);
  if (rest) save(to, joined(load(to), rest));
  save(from, "");
};

let early = null; // React may still put another box in the place of the one that was typed into
const hear = ({ target }) => { if (target === box()) early = target.value; };
if (typeof document !== "undefined") { early = box()?.value ?? ""; document.addEventListener("input", hear, true); }
// Puts the draft of a thread into the box, once after what was typed too early; says whether there was such text.
export const unfold = (key) => {
  const typed = early === null ? "" : box().value || early, held = load(key);
  document.removeEventListener("input", hear, true);
  early = null;
  box().value = isBlank(typed) ? held : held ? joined(held, typed) : typed;
  return !isBlank(typed);
};
