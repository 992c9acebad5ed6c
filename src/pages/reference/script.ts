import { createHash } from "node:crypto";
import { Html } from "#pages/html.ts";

/** The script element of the page. The page's policy allows exactly these bytes and no other script. */
export const scriptElement = (script: string): Html => new Html(`<script>${script}</script>`);

export const scriptPolicy = (script: string): string =>
  `script-src 'sha256-${createHash("sha256").update(script).digest("base64")}'`;

/**
 * What the reference can do with a script: search (`/` goes to the field, arrow keys go through the results),
 * copy buttons, and a language that is chosen once for all examples and remembered. It makes no network
 * request. Text is only ever set as text, never as HTML.
 */
export const SCRIPT = `
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const query = document.getElementById("query");
  const count = document.getElementById("count");
  const results = document.getElementById("results");
  const contents = document.getElementById("contents");

  // Search. A match in a title counts more than one in the text below it.
  const entries = all(".entry").map((element) => {
    const title = element.querySelector("h3").textContent;
    const route = element.querySelector(".route");
    const head = (title + " " + (route ? route.textContent : "")).toLowerCase();
    return { id: element.id, title, route, head, text: element.textContent.toLowerCase() };
  });
  const scoreOf = ({ title, head, text }, words) => {
    if (!words.every((word) => text.includes(word))) return 0;
    const inTitle = words.filter((word) => title.toLowerCase().includes(word)).length;
    const inHead = words.filter((word) => head.includes(word)).length;
    return 1 + inHead * 10 + inTitle * 5 + (title.toLowerCase().startsWith(words[0]) ? 3 : 0);
  };
  const itemOf = ({ id, title, route }) => {
    const link = document.createElement("a");
    link.href = "#" + id;
    link.textContent = title;
    if (route) {
      const below = document.createElement("code");
      below.textContent = [...route.querySelectorAll(".method, code:not(.says)")].map((part) => part.textContent).join(" ");
      link.append(below);
    }
    const item = document.createElement("li");
    item.append(link);
    return item;
  };
  const find = () => {
    const words = query.value.toLowerCase().split(/\\s+/).filter(Boolean);
    contents.hidden = words.length > 0;
    const found = words.length === 0 ? [] : entries
      .map((entry) => ({ entry, score: scoreOf(entry, words) }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .map(({ entry }) => entry);
    results.replaceChildren(...found.slice(0, 40).map(itemOf));
    count.textContent = words.length === 0 ? "" : found.length === 0 ? "Nothing found." : found.length + " found";
  };
  query.addEventListener("input", find);
  document.getElementById("finder").hidden = false;

  const isTyping = (element) => element instanceof HTMLInputElement && element.type !== "radio";
  const step = (event, by) => {
    const places = [query, ...results.querySelectorAll("a")];
    const at = places.indexOf(document.activeElement);
    if (at < 0) return;
    event.preventDefault();
    places[Math.max(0, Math.min(places.length - 1, at + by))].focus();
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "/" && !isTyping(document.activeElement)) {
      event.preventDefault();
      query.focus();
      query.select();
    } else if (event.key === "ArrowDown") step(event, 1);
    else if (event.key === "ArrowUp") step(event, -1);
    else if (event.key === "Enter" && document.activeElement === query) results.querySelector("a")?.click();
    else if (event.key === "Escape" && query.closest("search").contains(document.activeElement)) {
      query.value = "";
      find();
      query.blur();
    }
  });

  // Copying. Without a secure address a browser has no clipboard: the text is then selected instead.
  const select = (element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
  };
  for (const block of all(".block")) {
    const code = block.querySelector("pre");
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    const word = document.createElement("span");
    word.textContent = "Copy";
    word.setAttribute("aria-live", "polite");
    const what = document.createElement("span");
    what.className = "unseen";
    what.textContent = ": " + code.getAttribute("aria-label");
    button.append(word, what);
    const say = (text) => {
      word.textContent = text;
      setTimeout(() => (word.textContent = "Copy"), 1500);
    };
    button.addEventListener("click", () => {
      if (!navigator.clipboard) { select(code); say("Selected"); return; }
      navigator.clipboard.writeText(code.textContent).then(() => say("Copied"), () => { select(code); say("Selected"); });
    });
    block.append(button);
  }

  // One language for all examples. What the reader looks at keeps its place on the screen.
  const KEY = "postrider-docs-language";
  const choose = (language) => {
    for (const radio of all(".tabs input")) if (radio.value === language) radio.checked = true;
  };
  try { choose(localStorage.getItem(KEY)); } catch { /* no storage: the choice holds for this visit */ }
  document.addEventListener("change", ({ target }) => {
    if (!target.matches(".tabs input")) return;
    const before = target.getBoundingClientRect().top;
    choose(target.value);
    scrollBy(0, target.getBoundingClientRect().top - before);
    try { localStorage.setItem(KEY, target.value); } catch { /* as above */ }
  });

  // Where the reader is, in the contents.
  const links = new Map(all("#contents a").map((link) => [link.hash.slice(1), link]));
  const seen = new Set();
  let marked = null;
  const watcher = new IntersectionObserver((changes) => {
    for (const { target, isIntersecting } of changes) seen[isIntersecting ? "add" : "delete"](target);
    const first = entries.find(({ id }) => links.has(id) && seen.has(document.getElementById(id)));
    const link = first ? links.get(first.id) : null;
    if (link === marked) return;
    marked?.removeAttribute("aria-current");
    marked = link;
    marked?.setAttribute("aria-current", "location");
  }, { rootMargin: "-24px 0px -60% 0px" });
  for (const entry of all(".entry")) watcher.observe(entry);
})();
`;
