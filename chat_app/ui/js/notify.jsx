// Notifications of the browser: off until a person asks for them here. Shown while the tab is hidden and a question waits
// for them that was not there before; no word of a chat is in one.
import { useEffect, useSyncExternalStore } from "react";
import { useNavigate } from "react-router";
import { frames } from "./live.jsx";
import { pref, prefer, usePref } from "./prefs.jsx";
import { words } from "./words.jsx";

const never = () => () => {};
const standing = (held) => {
  if (typeof Notification === "undefined") return "unknown";
  if (!held) return "off"; // what the browser allows takes it 15 ms to find out, in the middle of a first visit
  const allowed = Notification.permission;
  return allowed === "denied" ? allowed : held === "on" && allowed === "granted" ? "on" : "off";
};
// off, on, denied (by the browser) or unknown (to it); the page as it was built says off
export const useNotify = () => { const held = usePref("notify"); return useSyncExternalStore(never, () => standing(held), () => "off"); };

// A browser asks only on a click, so this is called by one and waits for nothing before.
export const toggleNotify = async () => {
  if (standing(pref("notify")) === "on") { prefer("notify", ""); return; }
  prefer("notify", (await Notification.requestPermission()) === "granted" ? "on" : "asked");
};

let go = null, seen = null; // ids are in the order of time, so a newer one is a greater one
const show = ({ newest, of }) => {
  const note = new Notification(words.notify_title, { tag: `parley-${newest}`, lang: document.documentElement.lang, dir: document.documentElement.dir });
  note.onclick = () => { window.focus(); note.close(); go?.(of ? `/t/${of}` : `/approvals?open=${newest}`); };
};
frames.waiting = (frame) => {
  const isNews = seen !== null && frame.newest > seen;
  if (seen === null || isNews) seen = frame.newest;
  if (isNews && document.hidden && standing(pref("notify")) === "on") show(frame);
};

// Lets a click on a notification lead through the page instead of loading another.
export const Notify = () => {
  const navigate = useNavigate();
  useEffect(() => { go = navigate; return () => { go = null; }; }, [navigate]);
  return null;
};
