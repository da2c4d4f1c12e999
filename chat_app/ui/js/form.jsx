// What is in the inputs of a form, and when the server is asked about it. Inputs are drawn in Python (ui/forms) and
// carry `data-field`; the server knows the schema, the browser only texts.
import { useEffect, useRef } from "react";

const ASK_AFTER = 200; // ms without a key
const NO_DATE = "?"; // a date input gives nothing for a day that does not exist

const textOf = (input) => {
  if (input.type === "checkbox") return input.checked ? input.dataset.on : input.dataset.off;
  return input.validity.badInput ? NO_DATE : input.value;
};
export const collect = (pane) => {
  const written = pane?.querySelector("[data-json]"), entries = {};
  pane?.querySelectorAll("[data-field]").forEach((input) => { entries[input.dataset.field] = textOf(input); });
  return written ? { raw: true, json: written.value, entries: {} } : { raw: false, json: "", entries };
};

export const useFilling = (card, ask) => {
  const timer = useRef(0), asking = useRef(ask);
  useEffect(() => { asking.current = ask; });
  useEffect(() => () => clearTimeout(timer.current), []);
  const now = (act, key) => { clearTimeout(timer.current); asking.current(act, key); };
  const later = () => { clearTimeout(timer.current); timer.current = setTimeout(() => asking.current("", ""), ASK_AFTER); };
  const onInput = ({ target }) => { if (target.matches("[data-field]:not([data-draws]), [data-json]")) later(); };
  const onChange = ({ target }) => { if (target.matches("[data-draws]")) now("draw", ""); };
  const onClickCapture = ({ target }) => {
    const button = target.closest("button[data-does]");
    if (!button) return;
    const { does, key, value } = button.dataset;
    if (does === "pick") { [...card.current.querySelectorAll("[data-field]")].find((input) => input.dataset.field === key).value = value; now("draw", ""); }
    else now(does, key ?? "");
  };
  return { stop: () => clearTimeout(timer.current), events: { onInput, onChange, onClickCapture } };
};
