// Formulas in answers: loaded when the first one is met, and only where the settings ask for it.
// A single dollar stays a dollar: amounts are more common than formulas.
import "katex/dist/katex.min.css";
import rehypeKatex from "rehype-katex";
import remarkMath from "remark-math";

export const remark = [remarkMath, { singleDollarTextMath: false }];
export const rehype = [rehypeKatex, { trust: false, strict: "ignore", maxExpand: 100, maxSize: 20 }];
