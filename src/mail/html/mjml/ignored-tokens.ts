import type { TokenHandler } from "parse5";

const ignore = (): void => undefined;

/** For a tokenizer that handles only some kinds of tokens: spread this, and add the handlers for those. */
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
