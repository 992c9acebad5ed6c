import { compile, type FormatCallback, type HtmlToTextOptions } from "html-to-text";
import { HIDDEN, isPassedOver, leadsFurther } from "./hidden-elements.ts";
import { addressOf } from "./link-address.ts";
import { ADDRESS_EDGE, TEXT_COLUMNS, tidyText } from "./text-lines.ts";

type Builder = Parameters<FormatCallback>[2];

/** Content nested deeper than this is left out of the text: the converter is recursive. */
const DEPTH_MAX = 400;
const ON_ITS_OWN_LINE = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

/** Elements that get their own lines, in addition to those that the converter knows. */
const BLOCKS = [
  ..."body tr li caption address center dl dt dd figure figcaption details summary fieldset legend dialog hgroup search".split(
    " ",
  ),
  'span[style*="display:block"]',
  'span[style*="display: block"]',
];

/** Marks an address without words until all words are known. No text contains it (a Unicode noncharacter). */
const WORDLESS = "\uFDD1";

/** An image becomes its description; its address says nothing to a reader. */
const describeImage: FormatCallback = (element, _walk, builder) => {
  builder.addInline(element.attribs["alt"] ?? "");
};

/**
 * A link becomes its text, then its address in brackets. If the text is missing or is the address itself, only the
 * address is written; if it is missing and the address stands beside words elsewhere, nothing.
 */
function writeLink(address: string, builder: Builder, writeText: () => void): void {
  if (address === "") return writeText();
  let text = "";
  builder.pushWordTransform((word) => {
    text += word;
    return word;
  });
  writeText();
  builder.popWordTransform();
  const bare = text === "" ? ADDRESS_EDGE + WORDLESS + address : "";
  const shown = text === "" || text === address ? bare : ` [${address}]`;
  builder.addInline(shown + ADDRESS_EDGE, { noWordTransform: true });
}

const describeLink: FormatCallback = (element, walk, builder) =>
  writeLink(addressOf(element), builder, () => walk(element.children, builder));

/** A part of an image map. Its description is the link's text; without an address it says nothing to a reader. */
const describeArea: FormatCallback = (element, _walk, builder) => {
  const address = addressOf(element);
  if (address === "") return;
  builder.openBlock(ON_ITS_OWN_LINE);
  writeLink(address, builder, () => builder.addInline(element.attribs["alt"] ?? ""));
  builder.closeBlock(ON_ITS_OWN_LINE);
};

/** What readers of the page do not see is not in its text either, unless a link would be lost. */
const leaveOutHidden: FormatCallback = (element, walk, builder) => {
  if (!leadsFurther(element) && !isPassedOver(element)) return;
  delete element.attribs["hidden"];
  delete element.attribs["style"];
  walk([element], builder);
};

/** Plain numbers: the converter fails on Roman numerals above 3999, which any `start` attribute can ask for. */
const numberList: FormatCallback = (element, walk, builder, options) => {
  delete element.attribs["type"];
  builder.options.formatters?.["orderedList"]?.(element, walk, builder, options);
};

const OPTIONS: HtmlToTextOptions = {
  // No wrapping here: the line lengths would count characters that are removed later.
  wordwrap: false,
  whitespaceCharacters: " \t\r\n\f",
  // The whole document, because every client also shows what an author writes outside `<body>`.
  baseElements: { selectors: [] },
  limits: { maxDepth: DEPTH_MAX, ellipsis: "" },
  formatters: { describeArea, describeImage, describeLink, leaveOutHidden, numberList },
  selectors: [
    { selector: "a", format: "describeLink" },
    { selector: "area", format: "describeArea" },
    { selector: "img", format: "describeImage" },
    { selector: "ol", format: "numberList" },
    { selector: "hr", options: { length: TEXT_COLUMNS } },
    ...BLOCKS.map((selector) => ({ selector, format: "block", options: ON_ITS_OWN_LINE })),
    ...["td", "th", "button"].map((selector) => ({
      selector,
      format: "inlineSurround",
      options: { suffix: " " },
    })),
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
    ...HIDDEN.map((selector) => ({ selector, format: "leaveOutHidden" })),
    ...["title", "template", "select", "textarea", "svg", "math", "object", "iframe"].map((selector) => ({
      selector,
      format: "skip",
    })),
  ],
};

/** Made at first use, because that takes as long as a large part of the server's start. */
let converter: ReturnType<typeof compile> | null = null;
const convert = (html: string): string => (converter ??= compile(OPTIONS))(html);

const CONTROLS = /[^\P{Cc}\n\t]/gu;

const isNever = (_line: string): boolean => false;

/** The line between a letter's text and the footer. */
const RULE = "-".repeat(TEXT_COLUMNS);

/**
 * The text part of a message: the HTML as text, with link addresses in brackets, wrapped, and then the footer's
 * text. Lines end with LF. The footer is appended and never parsed, so nothing in the HTML can hide it.
 * @param isOpen which lines stay unwrapped, because they are filled in later
 * @param isLong which addresses become numbers if they occur more than once; they are listed at the end
 */
export function textAlternative(html: string, footer: string, isOpen = isNever, isLong = isNever): string {
  const body = tidyText(numbered(converted(html), isLong), isOpen).trimEnd();
  return body === "" ? `${footer}\n` : `${body}\n\n${RULE}\n${footer}\n`;
}

/** The author's own text part as written, and then the footer's text. */
export const textWithFooter = (text: string, footer: string): string =>
  `${text}${text.endsWith("\n") ? "\n" : "\n\n"}${RULE}\n${footer}\n`;

/** The same for mail without a footer. */
export const htmlAsText = (html: string): string => `${tidyText(converted(html), isNever)}\n`;

/**
 * The converter looks elements up in an object, finds what every object inherits, and fails. Of those names only this
 * one is in small letters, as names of elements are. A character without width makes it a name that nobody knows.
 */
const INHERITED = /<\/?constructor(?=[\s/>])/gi;

/** Browsers know it only in SVG and MathML: elsewhere it ends at the next `>`, and what follows is shown. */
const CDATA = /<!\[CDATA\[/g;

// Before it, so that a run of them becomes one space like white space; after it, for those written as references.
const converted = (html: string): string =>
  onceWithWords(
    convert(html.replace(CONTROLS, " ").replace(INHERITED, "$&\u200b").replace(CDATA, "<!CDATA ")).replace(
      CONTROLS,
      " ",
    ),
  );

/** An address in brackets after its text, as `describeLink` writes it. Without `[`, so that no text makes the search slow. */
const IN_BRACKETS = new RegExp(`\\[([^[\\]\\s]+)\\]${ADDRESS_EDGE}`, "g");

const WITHOUT_WORDS = new RegExp(`${ADDRESS_EDGE}${WORDLESS}([^${ADDRESS_EDGE}]*)`, "g");

/** Without the addresses of pictures that nobody described, if the same address stands beside words. */
function onceWithWords(text: string): string {
  if (!text.includes(WORDLESS)) return text;
  const named = new Set(text.matchAll(IN_BRACKETS).map(([, address]) => address));
  return text.replace(
    WITHOUT_WORDS,
    (_, address: string) => ADDRESS_EDGE + (named.has(address) ? "" : address),
  );
}

/** A number in brackets that the author wrote and that could be taken for one of ours. */
const OWN_NUMBER = /\[\d{1,9}\]/;

/** An address that is in brackets at two places or more is written only once, at the end of the text. */
function numbered(text: string, isLong: (address: string) => boolean): string {
  if (OWN_NUMBER.test(text)) return text;
  const counts = new Map<string, number>();
  for (const [, address = ""] of text.matchAll(IN_BRACKETS))
    if (isLong(address)) counts.set(address, (counts.get(address) ?? 0) + 1);
  const listed = [...counts].filter(([, count]) => count > 1).map(([address]) => address);
  if (listed.length === 0) return text;
  const numbers = new Map(listed.map((address, at) => [address, `[${at + 1}]`]));
  const short = text.replace(IN_BRACKETS, (whole, address: string) => {
    const number = numbers.get(address);
    return number === undefined ? whole : number + ADDRESS_EDGE;
  });
  const list = listed.map((address) => `${numbers.get(address) ?? ""} ${address}`);
  return `${short.trimEnd()}\n\n${list.join("\n")}`;
}
