import { Parser } from "htmlparser2";
import { htmlQuoted } from "./tag.ts";

/**
 * HTML from the clipboard, as Word, Google Docs and web pages put it there, reduced to what the rich text editor
 * holds. The page's policy blocks inline styles, so they are read here: `<b>` that is not bold, and bold that is
 * only a style.
 */
export function pastedHtml(html: string): string {
  // The editor's own clipboard data holds more than HTML.
  if (html.includes("data-pm-slice")) return html;
  const page = writer();
  const parser = new Parser(page.handler, { decodeEntities: true });
  parser.write(html);
  parser.end();
  return page
    .written()
    .replaceAll(/<(p|div)>\s*<\/\1>/g, "")
    .replaceAll(/(<\/(?:p|div|ul|ol|h[1-3]|blockquote)>)(?:\s*<br>)+/g, "$1");
}

/** The tag that is written for an element; null: only the element's content is kept. */
const TAGS: Readonly<Record<string, string>> = {
  blockquote: "blockquote",
  del: "s",
  div: "div",
  h1: "h1",
  h2: "h2",
  h3: "h3",
  h4: "h3",
  h5: "h3",
  h6: "h3",
  li: "li",
  ol: "ol",
  p: "p",
  s: "s",
  strike: "s",
  tr: "div",
  u: "u",
  ul: "ul",
};
const WITHOUT_CONTENT = new Set(["head", "o:p", "script", "style", "svg", "title", "xml"]);
const IS_ADDRESS = /^(?:https?:\/\/|mailto:|tel:|\{\{)/i;

type Attributes = Readonly<Record<string, string>>;

/** The tags of one element: a span can be bold and italic. */
function tagsFor(name: string, { style = "", href = "" }: Attributes): readonly string[] {
  if (name === "a") return IS_ADDRESS.test(href) ? [`a href="${htmlQuoted(href)}"`] : [];
  if (name === "b" || name === "strong")
    return /(?:^|[;\s])font-weight:\s*(?:normal|400)/i.test(style) ? [] : ["strong"];
  if (name === "i" || name === "em") return /(?:^|[;\s])font-style:\s*normal/i.test(style) ? [] : ["em"];
  if (name === "span" || name === "font") return tagsOfStyle(style);
  return TAGS[name] === undefined ? [] : [TAGS[name]];
}

const MEANINGS = [
  [/(?:^|[;\s])font-weight:\s*(?:bold|[6-9]00)/i, "strong"],
  [/(?:^|[;\s])font-style:\s*italic/i, "em"],
  [/(?:^|[;\s])text-decoration[^;]*:\s*[^;]*line-through/i, "s"],
] as const;

const tagsOfStyle = (style: string): string[] =>
  MEANINGS.flatMap(([meaning, tag]) => (meaning.test(style) ? [tag] : []));

/** Word writes lists as paragraphs, with the sign of each item between two conditions. */
const isWordItem = (name: string, { style = "" }: Attributes): boolean =>
  name === "p" && /mso-list:\s*l\d/i.test(style);

type Sheet = {
  text: string;
  /** Elements that are left out with all in them. */
  left: number;
  /** The sign of Word's item that is being read; null outside of one. */
  sign: string | null;
  /** The list that Word's items are written into. */
  list: "ul" | "ol" | null;
  /** Where the item began. Its sign, which comes after, tells whether it is numbered. */
  itemAt: number;
};
type Open = { readonly tags: readonly string[]; readonly isItem: boolean };

function endList(sheet: Sheet): void {
  if (sheet.list !== null) sheet.text += `</${sheet.list}>`;
  sheet.list = null;
}

function endSign(sheet: Sheet): void {
  const { text, list, sign, itemAt } = sheet;
  const kind = /^\s*\(?[0-9a-z]{1,4}[.)]/i.test(sign ?? "") ? "ol" : "ul";
  const ended = list === null ? "" : `</${list}>`;
  if (list !== kind) sheet.text = `${text.slice(0, itemAt)}${ended}<${kind}>${text.slice(itemAt)}`;
  sheet.list = kind;
  sheet.sign = null;
}

function writer() {
  const sheet: Sheet = { text: "", left: 0, sign: null, list: null, itemAt: 0 };
  const open: Open[] = [];
  const put = (text: string) => {
    if (sheet.left === 0) sheet.text += text;
  };
  const isInItem = () => open.some(({ isItem }) => isItem);
  const onCondition = (condition: string) => {
    if (/if\s+!supportLists/i.test(condition) && isInItem()) sheet.sign = "";
    else if (sheet.sign !== null && /endif/i.test(condition)) endSign(sheet);
  };
  const handler = {
    onopentag(name: string, attributes: Attributes) {
      const isItem = isWordItem(name, attributes);
      if (WITHOUT_CONTENT.has(name)) sheet.left++;
      if (!isItem && TAGS[name] !== undefined && !isInItem()) endList(sheet);
      if (isItem) sheet.itemAt = sheet.text.length;
      const tags = isItem ? ["li"] : tagsFor(name, attributes);
      open.push({ tags, isItem });
      put(tags.map((tag) => `<${tag}>`).join(""));
      if (name === "br" && !/Apple-interchange/.test(attributes["class"] ?? "")) put("<br>");
    },
    ontext(part: string) {
      if (sheet.sign === null) put(htmlQuoted(part));
      else sheet.sign += part;
    },
    oncomment: onCondition,
    onprocessinginstruction: (_: string, condition: string) => onCondition(condition),
    onclosetag(name: string) {
      const { tags = [], isItem = false } = open.pop() ?? {};
      // An item whose sign nobody marked.
      if (isItem && (sheet.list === null || sheet.sign !== null)) endSign(sheet);
      const ends = tags.toReversed().map((tag) => `</${tag.split(" ")[0]}>`);
      put(ends.join(""));
      // Cells stand beside each other.
      if (name === "td" || name === "th") put(" ");
      if (WITHOUT_CONTENT.has(name)) sheet.left--;
    },
  };
  const written = (): string => {
    endList(sheet);
    return sheet.text;
  };
  return { handler, written };
}
