/**
 * A sentence of the server, and the same in another language. `{}` stands for the parts that vary: `{1}` is the
 * first of them unchanged, `<1>` the first of them in the other language.
 */
export type Said = readonly [english: string, here: string];

type Pattern = { readonly shape: RegExp; readonly here: string };

/** How deep sentences may be nested in others. */
const DEPTH_MAX = 4;

/** Stands between the warnings about a row. */
const BETWEEN = "; ";

/** More parts has no text of the server. Each is tried with every sentence, and the words of others may have hundreds. */
const PARTS_MAX = 30;
const partsAt = (text: string, between: RegExp): readonly RegExpExecArray[] =>
  [...text.matchAll(between)].slice(0, PARTS_MAX);

/**
 * Translates what the server says. The server speaks English: its sentences are part of the API, and it does not
 * know who reads them. A sentence that is not in the catalogue stays as it is, so that nothing is ever hidden.
 */
export function serverWords(catalogue: readonly Said[]): (sentence: string) => string {
  let patterns: readonly Pattern[] | null = null;

  const whole = (text: string, depth: number): string | null => {
    patterns ??= patternsOf(catalogue);
    for (const { shape, here } of patterns) {
      const found = shape.exec(text);
      if (found !== null)
        return here.replaceAll(/\{(\d)\}|<(\d)>/g, (_, as: string | undefined, too: string | undefined) =>
          as === undefined ? put(found[Number(too)] ?? "", depth + 1) : (found[Number(as)] ?? ""),
        );
    }
    return null;
  };

  /** The object of a check and what was found; several sentences, one after the other; or warnings of which not all are known. */
  const inParts = (text: string, depth: number): string | null => {
    for (const { index, 0: between } of partsAt(text, /: |; |(?<=[.?!]) /g)) {
      const first = whole(text.slice(0, index), depth);
      if (first !== null) return first + between + put(text.slice(index + between.length), depth + 1);
    }
    return null;
  };

  /**
   * Several warnings about a row, each of which is known. One shape may fit them all, and would keep the words between
   * its own as they are.
   */
  const inTurn = (text: string, depth: number): string | null => {
    for (const { index } of partsAt(text, new RegExp(BETWEEN, "g"))) {
      const first = whole(text.slice(0, index), depth);
      const rest = text.slice(index + BETWEEN.length);
      const others = first === null ? null : (inTurn(rest, depth) ?? whole(rest, depth));
      if (others !== null) return first + BETWEEN + others;
    }
    return null;
  };

  const put = (text: string, depth: number): string =>
    depth > DEPTH_MAX ? text : (inTurn(text, depth) ?? whole(text, depth) ?? inParts(text, depth) ?? text);

  return (sentence) => (sentence.length > CHARACTERS_MAX ? sentence : put(sentence, 0));
}

/** The sentence with the most fixed text comes first, because others may fit it too. */
const patternsOf = (catalogue: readonly Said[]): Pattern[] =>
  catalogue
    .toSorted(([a], [b]) => ownWords(b) - ownWords(a))
    .map(([english, here]) => ({ shape: shapeOf(english), here }));

const ownWords = (english: string): number => english.replaceAll("{}", "").length;

/** Longer texts are not sentences of the server. */
const CHARACTERS_MAX = 2_000;

const shapeOf = (english: string): RegExp =>
  new RegExp(`^${english.split("{}").map(literally).join("(.*?)")}$`, "s");

const literally = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
