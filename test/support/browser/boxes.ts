/** Whether what is written on a page stays where it belongs. */
import type { Page } from "playwright-core";

/**
 * Texts that stick out of their box: an element with a border or a background of its own, or the screen. Elements
 * that scroll, are cut off or float end the search.
 */
export const escapedTexts = (page: Page): Promise<string[]> => page.evaluate<string[]>(ESCAPED);

const ESCAPED = `(() => {
  const SLACK = 2;
  const isSeen = (style) => style.visibility !== "hidden" && Number(style.opacity) > 0;
  const isBox = (style) =>
    parseFloat(style.borderLeftWidth) + parseFloat(style.borderRightWidth) > 0 || style.backgroundColor !== "rgba(0, 0, 0, 0)";
  const isForReadersAlone = (element) => {
    for (let at = element; at; at = at.parentElement) if (getComputedStyle(at).clipPath === "inset(50%)") return true;
    return false;
  };
  const name = (element) => element.tagName.toLowerCase() + (element.className && typeof element.className === "string" ? "." + element.className.split(" ").slice(-1) : "");
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.data.trim() === "" || !node.parentElement.checkVisibility()) continue;
    if (node.parentElement.closest("script, style, svg, .cm-editor, [hidden]")) continue;
    if (isForReadersAlone(node.parentElement)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = range.getBoundingClientRect();
    if (text.width < 2 || text.height < 2) continue;
    for (let at = node.parentElement; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (!isSeen(style)) break;
      if (style.overflowX !== "visible" && at !== document.documentElement && at !== document.body) break;
      const box = at.getBoundingClientRect();
      if (at.tagName !== "BODY" && at.tagName !== "HTML" && style.display !== "inline" && isBox(style) &&
        (text.left < box.left - SLACK || text.right > box.right + SLACK))
        found.push(name(at) + ": " + node.data.trim().slice(0, 40));
      if (style.position === "fixed" || style.position === "absolute") break;
      if (at === document.body && (text.left < -SLACK || text.right > innerWidth + SLACK)) found.push("the screen: " + node.data.trim().slice(0, 40));
    }
  }
  return [...new Set(found)];
})()`;
