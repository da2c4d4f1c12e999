// Markdown of an answer, block by block: only the last block is drawn again while text arrives.
// Nothing in the text becomes markup: no raw HTML, no remote image, only links a person may follow.
import { isValidElement, memo, useRef, useState } from "react";
import Markdown from "react-markdown";
import remarkGfm from "remark-gfm";
import { get, textOf, useText, words } from "./live.jsx";

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

export const copyText = async (text) => {
  if (navigator.clipboard) return navigator.clipboard.writeText(text);
  const box = Object.assign(document.createElement("textarea"), { value: text, className: "sr" }); // plain http
  document.body.append(box);
  box.select();
  document.execCommand("copy");
  box.remove();
};
export const Icon = ({ name }) => <svg className="i i-sm" aria-hidden="true"><use href={`/icons.svg#${name}`} /></svg>;
export const Copy = ({ text, className, children }) => {
  const [done, setDone] = useState(false);
  const act = () => copyText(text()).then(() => { setDone(true); setTimeout(() => setDone(false), 2000); });
  const word = done ? words.copied : words.copy;
  return (
    <button type="button" className={className ?? "btn btn-quiet btn-sm"} onClick={act} aria-label={children ? undefined : word} title={word}>
      <Icon name={done ? "check" : "copy"} />{children === undefined ? null : word}
      {done && <span className="sr" role="status">{words.copied}</span>}
    </button>
  );
};

const plain = (node) => (Array.isArray(node) ? node.map(plain).join("") : isValidElement(node) ? plain(node.props.children) : String(node ?? ""));
const Code = ({ children }) => { // the place for highlighting, once its fence has closed
  const code = [children].flat()[0], language = /language-(\S+)/.exec(code?.props?.className ?? "")?.[1] ?? "", text = plain(children).replace(/\n$/, "");
  return (
    <div className="codebox">
      <header><span>{language || words.code}</span><Copy text={() => text}>{words.copy}</Copy></header>
      <pre tabIndex={0} aria-label={`${words.code} ${language}`.trim()}><code>{text}</code></pre>
    </div>
  );
};
const Link = ({ href, children }) => (href ? <a href={href} target="_blank" rel="noopener noreferrer nofollow">{children}</a> : <span>{children}</span>);
const cell = (Tag, extra) => ({ style, children }) => <Tag {...extra} className={style?.textAlign === "right" ? "num" : undefined}>{children}</Tag>;
const heading = (Tag) => ({ children }) => <Tag>{children}</Tag>; // the page owns h1 and the turn h2
const COMPONENTS = {
  a: Link, pre: Code, h1: heading("h3"), h2: heading("h3"), h4: heading("h4"), h5: heading("h4"), h6: heading("h4"),
  img: ({ src, alt }) => <Link href={src}>{words.image}{alt ? `: ${alt}` : ""}</Link>,
  input: ({ checked }) => <input type="checkbox" disabled checked={Boolean(checked)} aria-label={checked ? words.done : words.open} />,
  table: ({ children }) => <div className="tablebox" tabIndex={0} role="group" aria-label={words.table}><table>{children}</table></div>,
  th: cell("th", { scope: "col" }), td: cell("td"),
};
const PLUGINS = [remarkGfm];
const safe = (url) => (/^(https?:\/\/|mailto:)/i.test(url) ? url : "");
const Block = memo(({ text }) => <Markdown remarkPlugins={PLUGINS} components={COMPONENTS} urlTransform={safe}>{text}</Markdown>);

export const Prose = ({ row, part, className }) => {
  const blocks = useBlocks(useText(row, part));
  return <div className={className ?? "prose"} dir="auto">{blocks.map((text, i) => <Block key={i} text={text} />)}</div>;
};
// Copies the answer as it was written: the text parts of every row of the turn, without reasoning and calls.
export const CopyTurn = ({ row: key }) => {
  const text = () => {
    const held = get("rows"), last = held.findIndex((row) => row.key === key);
    let first = last;
    while (first > 0 && !held[first].head) first--;
    return held.slice(first, last + 1).flatMap((row) => row.parts.filter((p) => p.kind === "text").map((p) => textOf(row.key, p.key))).join("\n\n");
  };
  return <Copy text={text} className="btn btn-icon" />;
};
