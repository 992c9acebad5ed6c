import { Tokenizer, TokenizerMode, type Token } from "parse5";
import { trimAsBrowsersDo } from "#mail/html/address-blanks.ts";
import { IGNORED_TOKENS } from "#mail/html/ignored-tokens.ts";
import { linkProblem } from "./link-target.ts";

/** A warning, and its place in the source. */
export type Found = { readonly message: string; readonly index: number };

/** More warnings than anybody reads. */
export const WARNINGS_MAX = 100;

/** Elements whose content is text, and how the parser reads it (HTML standard, "parsing"). */
const TEXT_CONTENT: Readonly<Record<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]>> = {
  title: TokenizerMode.RCDATA,
  textarea: TokenizerMode.RCDATA,
  style: TokenizerMode.RAWTEXT,
  xmp: TokenizerMode.RAWTEXT,
  iframe: TokenizerMode.RAWTEXT,
  script: TokenizerMode.SCRIPT_DATA,
};

const NO_ALT =
  'An image has no `alt`: who does not see it learns nothing of it. Describe it, or write alt="" where it only decorates.';

const NO_SOURCE = "An image has no address: readers see an empty frame. Choose one, or take it out.";

/**
 * Warnings about the images and links in HTML or MJML. Only tags are read and no tree is built. So the time depends
 * only on the length, and elements that MJML closes by itself need no special case.
 * @param format in MJML, the elements of MJML count too
 */
export function markupWarnings(source: string, format: "html" | "mjml"): Found[] {
  const found: Found[] = [];
  let navbarBase = "";
  let isAmongDefaults = false;
  const defaults = new Set<string>();
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      ...IGNORED_TOKENS,
      onStartTag(tag) {
        if (tag.tagName === "mj-navbar") navbarBase = attributeOf(tag, "base-url") ?? "";
        if (format === "mjml" && tag.tagName === "mj-attributes") isAmongDefaults = !tag.selfClosing;
        if (isAmongDefaults && attributeOf(tag, "src") !== undefined) defaults.add(tag.tagName);
        const images = isAmongDefaults ? null : defaults;
        if (found.length < WARNINGS_MAX) found.push(...warningsOf(tag, format, { navbarBase, images }));
        tokenizer.state = TEXT_CONTENT[tag.tagName] ?? TokenizerMode.DATA;
      },
      onEndTag({ tagName }) {
        if (tagName === "mj-attributes") isAmongDefaults = false;
      },
    },
  );
  tokenizer.write(source, true);
  return found;
}

const attributeOf = ({ attrs }: Token.TagToken, wanted: string): string | undefined =>
  attrs.find(({ name }) => name === wanted)?.value;

/** What comes from elsewhere in a letter of MJML. */
type Around = {
  /** What the compiler puts before the addresses of this `mj-navbar`. */
  readonly navbarBase: string;
  /** The elements of `mj-attributes` that give a `src` to others. Null: the tag is one of them itself, and shows nothing. */
  readonly images: ReadonlySet<string> | null;
};

function* warningsOf(
  tag: Token.TagToken,
  format: "html" | "mjml",
  { navbarBase, images }: Around,
): Generator<Found> {
  const { tagName, location } = tag;
  const isMjml = format === "mjml" && tagName.startsWith("mj-");
  const index = location?.startOffset ?? 0;
  const isImage =
    images !== null && (tagName === "img" || (isMjml && /^mj-(?:carousel-)?image$/.test(tagName)));
  const placeOf = (wanted: string) => location?.attrs?.[wanted]?.startOffset ?? index;
  const source =
    attributeOf(tag, "src") ?? (isMjml && images !== null && hasDefault(tag, images) ? null : "");
  if (isImage && source !== null && trimAsBrowsersDo(source) === "")
    yield { message: NO_SOURCE, index: placeOf("src") };
  if (isImage && attributeOf(tag, "alt") === undefined) yield { message: NO_ALT, index };
  if (tagName !== "a" && tagName !== "area" && !isMjml) return;
  const href = attributeOf(tag, "href");
  const before = tagName === "mj-navbar-link" ? navbarBase : "";
  const message = href === undefined ? null : linkProblem(before + href);
  if (message !== null) yield { message, index: placeOf("href") };
}

/** Whether a `src` may come from `mj-attributes`. */
const hasDefault = (tag: Token.TagToken, given: ReadonlySet<string>): boolean =>
  given.has(tag.tagName) ||
  given.has("mj-all") ||
  (given.has("mj-class") && attributeOf(tag, "mj-class") !== undefined);
