import { compile } from "html-to-text";

/** Below the 76 columns quoted-printable allows, so that prose is not broken a second time. */
const COLUMNS = 74;
/** Deeper nesting than this is left out of the text; the converter works by recursion. */
const DEPTH_MAX = 400;

const noAddress = () => "";
const asWritten = { uppercase: false };
const convert = compile({
  wordwrap: COLUMNS,
  limits: { maxDepth: DEPTH_MAX, ellipsis: "" },
  selectors: [
    { selector: "a", options: { hideLinkHrefIfSameAsText: true } },
    // A picture is its description; its address says nothing to a reader.
    { selector: "img", options: { pathRewrite: noAddress } },
    ...["h1", "h2", "h3", "h4", "h5", "h6"].map((selector) => ({ selector, options: asWritten })),
    ...["head", "title", "template", "select", "textarea", "svg", "math", "object", "iframe"].map((selector) => ({
      selector,
      format: "skip",
    })),
  ],
});

/**
 * The text part of a message: what its HTML says, links kept in brackets, wrapped, and then the footer's text. Lines end
 * in LF. The footer is appended, never parsed, so nothing in the HTML can hide it.
 */
export function textAlternative(html: string, footer: string): string {
  const body = convert(html).replace(/[^\P{Cc}\n\t]+/gu, " ").trimEnd();
  return body === "" ? `${footer}\n` : `${body}\n\n${"-".repeat(COLUMNS)}\n${footer}\n`;
}
