import type { KeyboardEvent } from "react";

/**
 * For fields whose text is compared exactly or read by a program: tags, names of events and attributes, values,
 * HTML. Keyboards of phones begin with a capital, replace words that they do not know, and make other quotes of
 * straight ones (Safari asks `spellCheck` for that).
 */
export const AS_TYPED = { autoCapitalize: "none", autoCorrect: "off", spellCheck: false } as const;

/** The number that browsers give to a key which an input method takes (UI Events, "keyCode"). */
const TAKEN = 229;

/**
 * Whether a key belongs to an input method: Enter ends a word there, and not the text. Safari has ended the word by
 * then, and only the old number says so.
 */
export const isComposing = ({ nativeEvent }: KeyboardEvent): boolean =>
  nativeEvent.isComposing || nativeEvent.keyCode === TAKEN;

/** For a field of a library, which does nothing about a key that goes no further. */
export const keepWhileComposing = (event: KeyboardEvent): void => {
  if (isComposing(event)) event.stopPropagation();
};
