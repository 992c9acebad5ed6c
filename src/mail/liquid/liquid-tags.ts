/** A tag or an output of Liquid in a source. */
export type LiquidTag = {
  /** True for `{{ name }}`, false for `{% if name %}`. */
  readonly isOutput: boolean;
  readonly begin: number;
  /** The position behind it. */
  readonly end: number;
};

const CLOSE: Readonly<Record<string, string>> = { "{": "}}", "%": "%}" };

/** The first tag or output at `from` or behind it, found without parsing. Null if there is none, or if it is never closed. */
export function nextTag(source: string, from: number): LiquidTag | null {
  for (let begin = source.indexOf("{", from); begin !== -1; begin = source.indexOf("{", begin + 1)) {
    const close = CLOSE[source[begin + 1] ?? ""];
    if (close === undefined) continue;
    const closed = source.indexOf(close, begin + 2);
    return closed === -1 ? null : { isOutput: close === "}}", begin, end: closed + close.length };
  }
  return null;
}
