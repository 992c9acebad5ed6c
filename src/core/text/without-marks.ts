const COMBINING_MARKS = /\p{M}+/gu;

/**
 * A text without combining marks, in compatibility-decomposed form (NFKD): `é` is `e`, `ﬁ` is `fi`. Marks are left out
 * before normalizing too, which gives the same: sorting those of one letter takes quadratic time.
 */
export const withoutMarks = (text: string): string =>
  text.replaceAll(COMBINING_MARKS, "").normalize("NFKD").replaceAll(COMBINING_MARKS, "");
