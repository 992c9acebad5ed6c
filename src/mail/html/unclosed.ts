import { Tokenizer } from "parse5";
import { IGNORED_TOKENS } from "./ignored-tokens.ts";

/**
 * The MJML elements that hold text or HTML. The compiler takes everything before their closing tag; without that
 * tag it drops the text silently.
 */
const WITH_CONTENT = new Set([
  "mj-accordion-text",
  "mj-accordion-title",
  "mj-button",
  "mj-navbar-link",
  "mj-preview",
  "mj-raw",
  "mj-social-element",
  "mj-style",
  "mj-table",
  "mj-text",
  "mj-title",
]);

type Unclosed = { readonly tagName: string; readonly index: number };

/** Elements with content that are never closed, in the order of the source. HTML elements are ignored. */
export function unclosedIn(source: string, atMost: number): Unclosed[] {
  const found: Unclosed[] = [];
  const open: Unclosed[] = [];
  const depths = new Map<string, number>();
  const leave = (): Unclosed | undefined => {
    const last = open.pop();
    if (last) depths.set(last.tagName, (depths.get(last.tagName) ?? 0) - 1);
    return last;
  };
  /** Closes everything that was opened since `tagName`; the outermost of them with content has lost its closing tag. */
  const leaveUpTo = (tagName: string | null): void => {
    let lost: Unclosed | null = null;
    for (let last = leave(); last && last.tagName !== tagName; last = leave())
      if (WITH_CONTENT.has(last.tagName)) lost = last;
    if (lost !== null && found.length < atMost) found.push(lost);
  };
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      ...IGNORED_TOKENS,
      onStartTag({ tagName, selfClosing, location }) {
        if (!OF_MJML.test(tagName) || selfClosing) return;
        open.push({ tagName, index: location?.startOffset ?? 0 });
        depths.set(tagName, (depths.get(tagName) ?? 0) + 1);
      },
      onEndTag({ tagName }) {
        if ((depths.get(tagName) ?? 0) > 0) leaveUpTo(tagName);
      },
    },
  );
  tokenizer.write(source, true);
  leaveUpTo(null);
  return found;
}

const OF_MJML = /^mj(?:ml$|-)/;
