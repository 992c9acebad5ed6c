import type { TokenHandler } from "parse5";

const ignore = (): void => undefined;

/** For a tokenizer that looks at some kinds of tokens only: spread this, and write the handlers that matter. */
export const IGNORED_TOKENS: TokenHandler = {
  onStartTag: ignore,
  onEndTag: ignore,
  onComment: ignore,
  onDoctype: ignore,
  onEof: ignore,
  onCharacter: ignore,
  onNullCharacter: ignore,
  onWhitespaceCharacter: ignore,
};
