// Markdown of an answer, block by block: only the last block is drawn again while text arrives.
// Nothing in the text becomes markup: no raw HTML, images of allowed hosts only, links a person may follow.
import { createContext, isValidElement, memo, useContext, useEffect, useMemo, useRef } from "react";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { Painted, useLoaded } from "./code.jsx";
import { Copy, Icon } from "./copy.jsx";
import { put, useLive, useText, words } from "./live.jsx";

const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/;
const ITEM = /^ {0,3}([-*+]|\d{1,9}[.)])(\s|$)/;
const DEFINITION = /^ {0,3}\[[^\]]+\]:\s/m; // a reference may be used in any block: such a text stays whole

// Splits from `from` on, before a line that starts a new block: after a blank line, outside fences, at column 0, and
// not the next item of a list.
export const split = (text, from = 0) => {
  const blocks = [];
  let start = from, fence = "", blank = false, list = false, open = true;
  for (let at = from; at < text.length; ) {
    const end = text.indexOf("\n", at) + 1 || text.length, line = text.slice(at, end).replace(/\r?\n$/, "");
    const mark = FENCE.exec(line), item = ITEM.test(line);
    if (!fence && blank && /^\S/.test(line) && !(list && item)) { blocks.push(text.slice(start, at)); start = at; open = true; }
    if (line.trim() && open) { list = item; open = false; }
    if (mark && !fence) fence = mark[1];
    else if (mark && mark[1].startsWith(fence) && !mark[2].trim()) fence = "";
    blank = !fence && line.trim() === "";
    at = end;
  }
  if (start < text.length) blocks.push(text.slice(start));
  return blocks;
};
// Starts over at the last block but one: what began as a new block may turn out to go on with its list.
const useBlocks = (text) => {
  const held = useRef({ text: "", blocks: [], start: 0 }), was = held.current;
  if (was.text === text) return was.blocks;
  const grown = was.text !== "" && text.startsWith(was.text), start = grown ? was.start : 0;
  const settled = grown ? was.blocks.slice(0, -2) : [], tail = text.slice(start);
  const blocks = DEFINITION.test(tail) ? [text] : [...settled, ...split(text, start)];
  held.current = { text, blocks, start: text.length - blocks.slice(-2).join("").length };
  return blocks;
};

// What the settings allow: hosts of images, formulas, diagrams. Drawn anew when it changes, which is once.
const NOTHING = Object.freeze({ hosts: Object.freeze([]), formulas: false, diagrams: false });
const useRendering = () => useLive("rendering") ?? NOTHING;
export const Rendering = ({ hosts, formulas, diagrams }) => { useEffect(() => put("rendering", { hosts, formulas, diagrams }), [hosts, formulas, diagrams]); return null; };

const Source = createContext(""); // the Markdown of the block that is drawn
const CLOSED = /\n[ >]*(`{3,}|~{3,})\s*$/;
const plain = (node) => (Array.isArray(node) ? node.map(plain).join("") : isValidElement(node) ? plain(node.props.children) : String(node ?? ""));
const loadDiagrams = () => import("./diagram.jsx");
const Diagram = ({ text, label, children }) => { // what cannot be drawn stays the text it is
  const drawing = useLoaded(true, loadDiagrams), load = useMemo(() => drawing && (() => drawing.picture(text)), [drawing, text]);
  const src = useLoaded(Boolean(load), load);
  return src ? <img className="diagram" src={src} alt={label} title={text} /> : children;
};
const Code = ({ node, children }) => {
  const source = useContext(Source), { diagrams } = useRendering(), code = [children].flat()[0];
  const language = /language-(\S+)/.exec(code?.props?.className ?? "")?.[1] ?? "", text = plain(children).replace(/\n$/, "");
  const closed = CLOSED.test(source.slice(node.position.start.offset, node.position.end.offset));
  const pre = <pre tabIndex={0} aria-label={`${words.code} ${language}`.trim()} dir="ltr"><code><Painted text={text} language={language} closed={closed} /></code></pre>;
  return (
    <div className="codebox">
      <header><span>{language || words.code}</span><Copy text={() => text}>{words.copy}</Copy></header>
      {diagrams && closed && language === "mermaid" ? <Diagram text={text} label={words.diagram}>{pre}</Diagram> : pre}
    </div>
  );
};
export const Picture = ({ src, alt }) => { // asking a stranger's host for a picture tells it who reads what
  const { hosts } = useRendering(), host = URL.canParse(src) ? new URL(src).host : "";
  if (hosts.includes(host)) return <img className="picture" src={src} alt={alt} loading="lazy" referrerPolicy="no-referrer" />;
  return <Link href={src}><Icon name="image" /> {words.image}{alt ? `: ${alt}` : ""}{host ? ` (${host})` : ""}</Link>;
};
const Link = ({ href, children }) => (href ? <a href={href} target="_blank" rel="noopener noreferrer nofollow">{children}</a> : <span>{children}</span>);
const cell = (Tag, extra) => ({ style, children }) => <Tag {...extra} className={style?.textAlign === "right" ? "num" : undefined}>{children}</Tag>;
const heading = (Tag) => ({ children }) => <Tag>{children}</Tag>; // the page owns h1 and the turn h2
const COMPONENTS = {
  a: Link, pre: Code, h1: heading("h3"), h2: heading("h3"), h4: heading("h4"), h5: heading("h4"), h6: heading("h4"),
  img: Picture,
  input: ({ checked }) => <input type="checkbox" disabled checked={Boolean(checked)} aria-label={checked ? words.done : words.open} />,
  table: ({ children }) => <div className="tablebox" tabIndex={0} role="group" aria-label={words.table}><table>{children}</table></div>,
  th: cell("th", { scope: "col" }), td: cell("td"),
};
const PLUGINS = [remarkGfm];
const safe = (url) => (/^(https?:\/\/|mailto:)/i.test(url) ? url : "");
const loadFormulas = () => import("./formula.jsx");
const Block = memo(({ text }) => {
  const { formulas } = useRendering(), math = useLoaded(formulas && text.includes("$$"), loadFormulas);
  const plugins = useMemo(() => (math ? [[...PLUGINS, math.remark], [math.rehype]] : [PLUGINS, undefined]), [math]);
  return <Source value={text}><Markdown remarkPlugins={plugins[0]} rehypePlugins={plugins[1]} components={COMPONENTS} urlTransform={safe}>{text}</Markdown></Source>;
});

export const Prose = ({ row, part, className }) => {
  const blocks = useBlocks(useText(row, part));
  return <div className={className ?? "prose"} dir="auto">{blocks.map((text, i) => <Block key={i} text={text} />)}</div>;
};
