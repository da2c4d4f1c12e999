// Diagrams written in answers, as pictures: an image neither runs nor fetches anything, whatever its source says.
// Loaded when the first one is met, and only where the settings ask for it.
import mermaid from "mermaid";

const CONFIG = { startOnLoad: false, securityLevel: "strict", suppressErrorRendering: true, htmlLabels: false, flowchart: { htmlLabels: false }, maxTextSize: 20_000 };
let drawn = 0;

// The address of a picture of `text`. Throws when it describes none.
export const picture = async (text) => {
  const theme = document.documentElement.classList.contains("dark") ? "dark" : "neutral";
  mermaid.initialize({ ...CONFIG, theme });
  const { svg } = await mermaid.render(`diagram-${drawn++}`, text);
  return `data:image/svg+xml,${encodeURIComponent(svg)}`;
};
