/**
 * For fields whose text is compared exactly or read by a program: tags, names of events and attributes, values,
 * HTML. Keyboards of phones begin with a capital, replace words that they do not know, and make other quotes of
 * straight ones (Safari asks `spellCheck` for that).
 */
export const AS_TYPED = { autoCapitalize: "none", autoCorrect: "off", spellCheck: false } as const;
