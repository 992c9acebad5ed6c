import type { Token } from "parse5";

/** What `mj-attributes` says of elements that have not said it themselves. It stands before them. */
export class MjmlDefaults {
  /** By the element's name, or by a dot and the name of an `mj-class`. */
  readonly #values = new Map<string, Map<string, string>>();
  #isInside = false;

  /** Reads a tag of `mj-attributes`, or in it: it says something of other elements. False for any other tag. */
  start({ tagName, selfClosing, attrs }: Token.TagToken): boolean {
    if (!this.#isInside) return tagName === "mj-attributes" && (this.#isInside = !selfClosing);
    const named = attrs.find(({ name }) => name === "name")?.value ?? "";
    const key = tagName === "mj-class" ? `.${named}` : tagName;
    const values = this.#values.get(key) ?? new Map<string, string>();
    this.#values.set(key, values);
    for (const { name, value } of attrs) values.set(name, value);
    return true;
  }

  end({ tagName }: Token.TagToken): void {
    if (tagName === "mj-attributes" || tagName === "mj-head") this.#isInside = false;
  }

  /** An attribute of an element as the compiler has it. */
  valueOf({ tagName, attrs }: Token.TagToken, wanted: string): string | undefined {
    const own = attrs.find(({ name }) => name === wanted)?.value;
    if (own !== undefined || this.#values.size === 0) return own;
    const classes = attrs.find(({ name }) => name === "mj-class")?.value.split(" ") ?? [];
    return [...classes.map((name) => `.${name}`).toReversed(), tagName, "mj-all"]
      .map((key) => this.#values.get(key)?.get(wanted))
      .find((value) => value !== undefined);
  }
}
