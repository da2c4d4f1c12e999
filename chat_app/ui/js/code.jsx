// Colours of code, once its fence has closed: the painter comes with the first one, each language when it is first met.
import { useEffect, useMemo, useState } from "react";

const LANGUAGES = {
  bash: () => import("highlight.js/lib/languages/bash"), c: () => import("highlight.js/lib/languages/c"),
  cpp: () => import("highlight.js/lib/languages/cpp"), csharp: () => import("highlight.js/lib/languages/csharp"),
  css: () => import("highlight.js/lib/languages/css"), diff: () => import("highlight.js/lib/languages/diff"),
  dockerfile: () => import("highlight.js/lib/languages/dockerfile"), go: () => import("highlight.js/lib/languages/go"),
  ini: () => import("highlight.js/lib/languages/ini"), java: () => import("highlight.js/lib/languages/java"),
  javascript: () => import("highlight.js/lib/languages/javascript"), json: () => import("highlight.js/lib/languages/json"),
  kotlin: () => import("highlight.js/lib/languages/kotlin"), makefile: () => import("highlight.js/lib/languages/makefile"),
  markdown: () => import("highlight.js/lib/languages/markdown"), php: () => import("highlight.js/lib/languages/php"),
  python: () => import("highlight.js/lib/languages/python"), ruby: () => import("highlight.js/lib/languages/ruby"),
  rust: () => import("highlight.js/lib/languages/rust"), sql: () => import("highlight.js/lib/languages/sql"),
  swift: () => import("highlight.js/lib/languages/swift"), typescript: () => import("highlight.js/lib/languages/typescript"),
  xml: () => import("highlight.js/lib/languages/xml"), yaml: () => import("highlight.js/lib/languages/yaml"),
};
const ALSO = {
  "c++": "cpp", cs: "csharp", docker: "dockerfile", golang: "go", htm: "xml", html: "xml", js: "javascript", jsonc: "json", jsx: "javascript",
  kt: "kotlin", make: "makefile", md: "markdown", mjs: "javascript", patch: "diff", py: "python", rb: "ruby", rs: "rust", sh: "bash", shell: "bash",
  svg: "xml", toml: "ini", ts: "typescript", tsx: "typescript", yml: "yaml", zsh: "bash",
};
const LONGEST = 50_000; // characters that are painted; the rest of the page has to stay quick

// What `load` brings once it is wanted; null before, and for good when it cannot be had: what it adds to is complete without.
export const useLoaded = (wanted, load) => {
  const [held, hold] = useState(null);
  useEffect(() => {
    let here = Boolean(wanted);
    if (here) load().then((found) => here && hold(() => found), () => here && hold(null));
    return () => { here = false; };
  }, [wanted, load]);
  return wanted ? held : null;
};

let painter = null;
const withLanguage = async (name) => {
  painter ??= import("lowlight").then(({ createLowlight }) => createLowlight());
  const [made, language] = await Promise.all([painter, LANGUAGES[name]()]);
  if (!made.registered(name)) made.register(name, language.default);
  return made;
};
const loaders = new Map(); // one function per language, so that a drawing again loads nothing again
const loaderOf = (name) => loaders.get(name) ?? loaders.set(name, () => withLanguage(name)).get(name);
const painted = (node, i) => (node.type === "text" ? node.value : <span key={i} className={node.properties.className.join(" ")}>{node.children.map(painted)}</span>);

export const Painted = ({ text, language, closed }) => {
  const said = language.toLowerCase(), name = ALSO[said] ?? said;
  const made = useLoaded(closed && text.length <= LONGEST && Object.hasOwn(LANGUAGES, name), loaderOf(name));
  return useMemo(() => (made ? made.highlight(name, text).children.map(painted) : text), [made, name, text]);
};
