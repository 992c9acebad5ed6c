import { Tokenizer, type Token } from "parse5";
import { IGNORED_TOKENS } from "./ignored-tokens.ts";
import { isOfMjml } from "./mjml-elements.ts";

/** How much the compiler writes again for each element of a letter. */
export type Repeated = {
  /** Characters of attributes that elements get from `mj-attributes` and from the elements around them, all together. */
  readonly attributes: number;
  /** Characters of inline styles and `mj-html-attribute`, all together, as if each fitted every element. */
  readonly styles: number;
};

/** Reads a source once. It may count too much, as where text looks like an element, but hardly too little. */
export function repeatedIn(source: string): Repeated {
  const reading = new Reading();
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      ...IGNORED_TOKENS,
      onStartTag: (token) => reading.start(token),
      onEndTag: (token) => reading.end(token),
    },
  );
  tokenizer.write(source, true);
  return reading.sum(source.length);
}

type Element = {
  readonly tagName: string;
  readonly own: number;
  readonly classes: string | null;
  /** The element around it, as a place in the list of all; -1 is none. */
  readonly around: number;
};

class Reading {
  readonly #elements: Element[] = [];
  /** Places in `#elements`, innermost last. */
  readonly #open: number[] = [];
  readonly #depths = new Map<string, number>();
  /** Lengths of what `mj-attributes` says of an element, `mj-all` is for all, and of a class. */
  readonly #ofTags = new Map<string, number>();
  readonly #ofClasses = new Map<string, number>();
  #class: string | null = null;
  #styles = 0;
  #styleStart: number | null = null;
  #tags = 0;

  start(token: Token.TagToken): void {
    const { tagName, selfClosing } = token;
    this.#tags++;
    if (!isOfMjml(tagName)) return;
    if (tagName === "mj-class") this.#class = attributeOf(token, "name");
    if (this.#isIn("mj-attributes")) this.#keepDefault(token);
    this.#elements.push({
      tagName,
      own: lengthOf(token),
      classes: attributeOf(token, "mj-class"),
      around: this.#open.at(-1) ?? -1,
    });
    if (selfClosing) return;
    if (isStyle(token)) this.#styleStart = token.location?.endOffset ?? null;
    this.#open.push(this.#elements.length - 1);
    this.#depths.set(tagName, (this.#depths.get(tagName) ?? 0) + 1);
  }

  end({ tagName, location }: Token.TagToken): void {
    if (!this.#isIn(tagName)) return;
    if (tagName === "mj-style" || tagName === "mj-html-attribute") this.#endStyle(location?.startOffset ?? 0);
    for (let name = this.#leave(); name !== tagName; name = this.#leave());
  }

  sum(end: number): Repeated {
    this.#endStyle(end);
    return { attributes: this.#attributes(), styles: this.#styles * this.#tags };
  }

  #isIn(tagName: string): boolean {
    return (this.#depths.get(tagName) ?? 0) > 0;
  }

  #leave(): string | null {
    const tagName = this.#elements[this.#open.pop() ?? -1]?.tagName ?? null;
    if (tagName === null) return tagName;
    this.#depths.set(tagName, (this.#depths.get(tagName) ?? 0) - 1);
    if (tagName === "mj-class") this.#class = null;
    return tagName;
  }

  /** What stands in an `mj-class` is for the elements inside of one that has this class. */
  #keepDefault(token: Token.TagToken): void {
    if (this.#class === null) add(this.#ofTags, token.tagName, lengthOf(token));
    else add(this.#ofClasses, this.#class, lengthOf(token));
    if (token.tagName === "mj-class" && token.selfClosing) this.#class = null;
  }

  #endStyle(end: number): void {
    if (this.#styleStart !== null) this.#styles += Math.max(0, end - this.#styleStart);
    this.#styleStart = null;
  }

  /** Only at the end, because the head may stand behind the body. */
  #attributes(): number {
    const ofAll = this.#ofTags.get("mj-all") ?? 0;
    const handedOn: number[] = [];
    let sum = 0;
    for (const { tagName, own, classes, around } of this.#elements) {
      const got = (handedOn[around] ?? 0) + (this.#ofTags.get(tagName) ?? 0) + this.#lengthOfClasses(classes);
      handedOn.push(got + own);
      sum += got + ofAll;
    }
    return sum;
  }

  /** A class that is named twice is given twice. */
  #lengthOfClasses(names: string | null): number {
    return (names?.split(" ") ?? []).reduce((sum, name) => sum + (this.#ofClasses.get(name) ?? 0), 0);
  }
}

const isStyle = (token: Token.TagToken): boolean =>
  token.tagName === "mj-html-attribute" ||
  (token.tagName === "mj-style" && attributeOf(token, "inline") !== null);

const attributeOf = ({ attrs }: Token.TagToken, name: string): string | null =>
  attrs.find((attribute) => attribute.name === name)?.value ?? null;

const lengthOf = ({ attrs }: Token.TagToken): number =>
  attrs.reduce((sum, { name, value }) => sum + name.length + value.length, 0);

const add = (lengths: Map<string, number>, name: string, length: number): void =>
  void lengths.set(name, (lengths.get(name) ?? 0) + length);
