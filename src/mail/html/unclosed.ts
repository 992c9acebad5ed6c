import { Tokenizer } from "parse5";
import { IGNORED_TOKENS } from "./ignored-tokens.ts";
import { isOfMjml, OpenElements, WITH_CONTENT, type OpenElement } from "./mjml-elements.ts";

/** Elements with content that are never closed, in the order of the source. HTML elements are ignored. */
export function unclosedIn(source: string, atMost: number): OpenElement[] {
  const found: OpenElement[] = [];
  const elements = new OpenElements();
  /** Of elements that were left open, the outermost with content has lost its closing tag. */
  const note = (leftOpen: readonly OpenElement[]): void => {
    const lost = leftOpen.findLast(({ tagName }) => WITH_CONTENT.has(tagName));
    if (lost !== undefined && found.length < atMost) found.push(lost);
  };
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      ...IGNORED_TOKENS,
      onStartTag({ tagName, selfClosing, location }) {
        if (isOfMjml(tagName) && !selfClosing) elements.enter({ tagName, index: location?.startOffset ?? 0 });
      },
      onEndTag: ({ tagName }) => note(elements.leave(tagName)),
    },
  );
  tokenizer.write(source, true);
  note(elements.leaveAll());
  return found;
}
