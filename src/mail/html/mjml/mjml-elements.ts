/**
 * The MJML elements that hold text or HTML. The compiler takes everything before their closing tag; without that
 * tag it drops the text silently.
 */
export const WITH_CONTENT: ReadonlySet<string> = new Set([
  "mj-accordion-text",
  "mj-accordion-title",
  "mj-button",
  "mj-navbar-link",
  "mj-preview",
  "mj-raw",
  "mj-social-element",
  "mj-style",
  "mj-table",
  "mj-text",
  "mj-title",
]);

/** The elements whose text the compiler keeps. */
export const KEEP_TEXT: readonly string[] = [...WITH_CONTENT, "mj-html-attribute"];

/** HTML elements are none of these. */
export const isOfMjml = (tagName: string): boolean => /^mj(?:ml$|-)/.test(tagName);

/** An element of a source, and where it begins. */
export type OpenElement = { readonly tagName: string; readonly index: number };

/** The elements that are open while a source is read. Their depths are counted, so that no closing tag costs a search. */
export class OpenElements {
  readonly #open: OpenElement[] = [];
  readonly #depths = new Map<string, number>();

  get innermost(): string | null {
    return this.#open.at(-1)?.tagName ?? null;
  }

  /** Whether one of them keeps what stands in it, closed or not. */
  get keepText(): boolean {
    return KEEP_TEXT.some((tagName) => (this.#depths.get(tagName) ?? 0) > 0);
  }

  enter(element: OpenElement): void {
    this.#open.push(element);
    this.#count(element, 1);
  }

  /** Closes the innermost `tagName`. The result is what was still open in it, innermost first. */
  leave(tagName: string): OpenElement[] {
    if ((this.#depths.get(tagName) ?? 0) === 0) return [];
    const left: OpenElement[] = [];
    for (let last = this.#pop(); last && last.tagName !== tagName; last = this.#pop()) left.push(last);
    return left;
  }

  /** What is open at the end of the source, innermost first. */
  leaveAll(): OpenElement[] {
    return this.#open.splice(0).toReversed();
  }

  #pop(): OpenElement | undefined {
    const last = this.#open.pop();
    if (last) this.#count(last, -1);
    return last;
  }

  #count({ tagName }: OpenElement, by: 1 | -1): void {
    this.#depths.set(tagName, (this.#depths.get(tagName) ?? 0) + by);
  }
}
