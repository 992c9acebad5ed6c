/** No keyboard makes some marks of a name that came from a file or the API, and not all keyboards the same quotes. */
const plain = (text: string): string =>
  inOneForm(text)
    .replaceAll(/[\s\p{Cf}.,'’"“”„]/gu, "")
    .toLowerCase();

/** A letter with an accent is one character or two, whichever way it came here. */
const inOneForm = (text: string): string => text.normalize("NFKC").trim();

/** Whether what must be typed was typed. Spaces, separators and quotes do not count, except where there is nothing else. */
export const isTyped = (typed: string, answer: string): boolean =>
  plain(answer) === "" ? inOneForm(typed) === inOneForm(answer) : plain(typed) === plain(answer);
