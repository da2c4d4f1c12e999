// A surface an agent described (A2UI), drawn with the page's own pieces. What it may hold was decided on the server;
// a button says its label as the person's line, which is all it can do.
import { useJson } from "./lanes.jsx";
import { words } from "./live.jsx";
import { suggest } from "./composer.jsx";
import { Picture } from "./markdown.jsx";
import { Long } from "./values.jsx";

const Children = ({ node }) => (node.children ?? []).map((child, i) => <Node key={i} node={child} />);
const KINDS = {
  text: ({ node }) => <p dir="auto" className="wrapped">{node.text}</p>,
  heading: ({ node }) => <h3 dir="auto">{node.text}</h3>,
  row: ({ node }) => <div className="a2-row"><Children node={node} /></div>,
  column: ({ node }) => <div className="a2-column"><Children node={node} /></div>,
  list: ({ node }) => <ul className="a2-column">{(node.children ?? []).map((child, i) => <li key={i}><Node node={child} /></li>)}</ul>,
  card: ({ node }) => <div className="a2-card"><Children node={node} /></div>,
  divider: () => <hr />,
  image: ({ node }) => <Picture src={node.url} alt={node.text} />,
  button: ({ node }) => <button type="button" className="btn" disabled={!node.text} title={`${words.says} “${node.text}”`} onClick={() => suggest(node.text)}>{node.text || words.button}</button>,
  unknown: ({ node }) => <div className="a2-unknown"><bdi className="raw">{node.text}</bdi><Children node={node} /></div>,
};
const Node = ({ node }) => { const Kind = KINDS[node?.kind] ?? KINDS.unknown; return <Kind node={node ?? {}} />; };
export const Surface = ({ row, part }) => <div className="a2"><Node node={useJson(row, part)} /></div>;

export const Pretty = ({ row, part }) => <Long text={JSON.stringify(useJson(row, part), null, 2)} className="mono wrapped" />;
