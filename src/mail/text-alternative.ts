import { compile, type FormatCallback, type HtmlToTextOptions } from "html-to-text";

/** Below the 76 columns quoted-printable allows, so that prose is not broken a second time. */
export const TEXT_COLUMNS = 74;
/** Deeper nesting than this is left out of the text; the converter works by recursion. */
const DEPTH_MAX = 400;
const ON_ITS_OWN_LINE = { leadingLineBreaks: 1, trailingLineBreaks: 1 };

/** A picture is its description; its address says nothing to a reader. */
const describeImage: FormatCallback = (element, _walk, builder) => {
  builder.addInline(element.attribs["alt"] ?? "");
};

/** Numbers only: the converter fails on Roman numerals beyond 3999, which any `start` can ask for. */
const numberList: FormatCallback = (element, walk, builder, options) => {
  delete element.attribs["type"];
  builder.options.formatters?.["orderedList"]?.(element, walk, builder, options);
};

const OPTIONS: HtmlToTextOptions = {
  wordwrap: TEXT_COLUMNS,
  // The whole document: what an author writes outside `<body>` is shown by every client.
  baseElements: { selectors: [] },
  limits: { maxDepth: DEPTH_MAX, ellipsis: "" },
  formatters: { describeImage, numberList },
  selectors: [
    { selector: "a", options: { hideLinkHrefIfSameAsText: true } },
    { selector: "img", format: "describeImage" },
    { selector: "ol", format: "numberList" },
    ...["body", "tr"].map((selector) => ({ selector, format: "block", options: ON_ITS_OWN_LINE })),
    ...["td", "th"].map((selector) => ({ selector, format: "inlineSurround", options: { suffix: " " } })),
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: { uppercase: false } })),
    ...["title", "template", "select", "textarea", "svg", "math", "object", "iframe"].map((selector) => ({
      selector,
      format: "skip",
    })),
  ],
};

/** Made when it is first needed: it takes as long as a good part of the server's start. */
let converter: ReturnType<typeof compile> | null = null;
const convert = (html: string): string => (converter ??= compile(OPTIONS))(html);

/**
 * The text part of a message: what its HTML says, links kept in brackets, wrapped, and then the footer's text. Lines end
 * in LF. The footer is appended, never parsed, so nothing in the HTML can hide it.
 */
export function textAlternative(html: string, footer: string): string {
  const body = htmlAsText(html).trimEnd();
  return body === "" ? `${footer}\n` : `${body}\n\n${"-".repeat(TEXT_COLUMNS)}\n${footer}\n`;
}

/** The same for mail without a footer. */
export function htmlAsText(html: string): string {
  const lines = convert(html)
    .replace(/[^\P{Cc}\n\t]/gu, " ")
    .split("\n");
  const body = lines
    .map((line) => line.trimEnd())
    .join("\n")
    .trimEnd();
  return `${body}\n`;
}
