// The words of the page in the person's language. English stands where it is used; `/words.js` has brought any other
// language before the first paint, as `window.parleyWords`: { lang, dir, words }.
import { Fragment, useEffect, useLayoutEffect, useSyncExternalStore } from "react";

const ENGLISH = { lang: "en", dir: "ltr", words: {} };
const given = () => globalThis.parleyWords ?? ENGLISH;
let spoken = ENGLISH; // the pre-rendered page is English, and has to be found as it was built
let english = {}; // what the files of the browser say by themselves
const GAP = /\{(\w+)\}/g;

// Of the person's own locales, the one of this language: en-GB writes dates otherwise than en-US.
export const locale = () => (globalThis.navigator?.languages ?? []).find((one) => one.split("-")[0] === spoken.lang) ?? spoken.lang;

const made = new Map();
const once = (name, make) => made.get(name) ?? made.set(name, make()).get(name);
export const number = (value) => once(`number ${locale()}`, () => new Intl.NumberFormat(locale())).format(value);
const form = (forms, count, lang) => forms[once(`plural ${lang}`, () => new Intl.PluralRules(lang)).select(Number(count))] ?? forms.other;

export const say = (name, fallback, values = {}) => {
  const own = spoken.words[name], words = own ?? fallback;
  const text = typeof words === "string" ? words : form(words, values.count, own === undefined ? "en" : spoken.lang);
  return text.replace(GAP, (gap, key) => (typeof values[key] === "number" ? number(values[key]) : (values[key] ?? gap)));
};

// A sentence of the server, by its own words.
export const said = (text, values) => say(`said.${text}`, text, values);

// `words.copy` is a text; `phrase` fills gaps and picks the form for a count.
export const words = new Proxy({}, { get: (_, name) => spoken.words[`browser.${name}`] ?? english[name] ?? "" });
export const phrase = (name, values) => say(`browser.${name}`, english[name] ?? "", values);
export const teach = (table) => { english = table; };

export const choose = (lang) => {
  document.cookie = `parley_language=${lang};path=/;max-age=${lang ? 31_536_000 : 0};samesite=lax`;
  window.location.reload();
};
export const chosen = () => (typeof document === "undefined" ? "" : /(?:^|; )parley_language=(\w+)/.exec(document.cookie)?.[1] ?? "");

const never = () => () => {};
export const useBeforePaint = typeof document === "undefined" ? useEffect : useLayoutEffect;
// Draws the page anew once the language is known to be another one: every word in it is then asked for again.
export const Speaking = ({ children }) => {
  const lang = useSyncExternalStore(never, () => given().lang, () => ENGLISH.lang);
  spoken = lang === given().lang ? given() : ENGLISH;
  useBeforePaint(() => { if (lang === given().lang) delete document.documentElement.dataset.words; }, [lang]);
  return <Fragment key={lang}>{children}</Fragment>;
};
