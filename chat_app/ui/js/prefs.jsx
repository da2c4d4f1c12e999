// What a person sets for this browser alone: contrast, density, keys. Kept in its storage; assets/early.js applies it
// before the first paint.
import { useSyncExternalStore } from "react";

const DEFAULTS = Object.freeze({ contrast: "", density: "", keys: "", notify: "" }); // "": as the system has it, roomy, on, off
const KEPT = "parley.";
const read = (name) => { try { return localStorage.getItem(KEPT + name) ?? DEFAULTS[name]; } catch { return DEFAULTS[name]; } };
const keep = (name, value) => { try { if (value) localStorage.setItem(KEPT + name, value); else localStorage.removeItem(KEPT + name); } catch { /* for this page, then */ } };

const held = typeof window === "undefined" ? { ...DEFAULTS } : Object.fromEntries(Object.keys(DEFAULTS).map((name) => [name, read(name)]));
const listeners = new Set();
const listen = (fn) => { listeners.add(fn); return () => listeners.delete(fn); };
const apply = (name, value) => {
  held[name] = value;
  if (value) document.documentElement.dataset[name] = value; else delete document.documentElement.dataset[name];
  listeners.forEach((fn) => fn());
};
// another tab's choice holds here too
if (typeof window !== "undefined") window.addEventListener("storage", (e) => { const name = e.key?.slice(KEPT.length); if (name in DEFAULTS) apply(name, e.newValue ?? ""); });

export const pref = (name) => held[name];
export const usePref = (name) => useSyncExternalStore(listen, () => held[name], () => DEFAULTS[name]);
export const prefer = (name, value) => { keep(name, value); apply(name, value); };
export const toggleKeys = () => prefer("keys", held.keys === "off" ? "" : "off");
