// The transcript on paper: every row is fetched before the browser prints.
import { get, older, watch } from "./live.jsx";

const PATIENCE = 10_000; // a page that does not come: print what is here, which says that it is not all
const page = () => new Promise((done) => {
  const leave = watch("older", settle), stop = watch("rows", settle), late = setTimeout(() => finish(false), PATIENCE);
  function finish(came) { leave(); stop(); clearTimeout(late); done(came); }
  function settle() { finish(true); }
  older();
});
export const printAll = async () => {
  while (get("older") && (await page()));
  requestAnimationFrame(() => setTimeout(() => window.print()));
};
