import { Tokenizer, TokenizerMode, type Token } from "parse5";
import { trimAsBrowsersDo } from "#mail/html/address-blanks.ts";
import { IGNORED_TOKENS } from "#mail/html/mjml/ignored-tokens.ts";
import { imageProblem } from "./image-source.ts";
import { linkProblem } from "./link-target.ts";
import { MjmlDefaults } from "./mjml-defaults.ts";

/** A warning, and its place in the source. */
export type Found = { readonly message: string; readonly index: number };

/** More warnings than anybody reads. */
export const WARNINGS_MAX = 100;

/** Elements whose content is text, and how the parser reads it (HTML standard, "parsing"). */
const TEXT_CONTENT = new Map<string, (typeof TokenizerMode)[keyof typeof TokenizerMode]>([
  ["title", TokenizerMode.RCDATA],
  ["textarea", TokenizerMode.RCDATA],
  ["style", TokenizerMode.RAWTEXT],
  ["xmp", TokenizerMode.RAWTEXT],
  ["iframe", TokenizerMode.RAWTEXT],
  ["script", TokenizerMode.SCRIPT_DATA],
]);

const NO_ALT =
  'An image has no `alt`: who does not see it learns nothing of it. Describe it, or write alt="" where it only decorates.';

const NO_SOURCE = "An image has no address: readers see an empty frame. Choose one, or take it out.";

/** Attributes that hold the address of an image: of HTML, and of MJML. */
const BACKGROUNDS = ["background", "background-url"];
/** A color that somebody wrote for an image: it shows no empty frame. */
const IS_WORD = /^#?\w+$/;
const SHOWN_IMAGES = ["src", ...BACKGROUNDS];

/**
 * Warnings about the images and links in HTML or MJML. Only tags are read and no tree is built. So the time depends
 * only on the length, and elements that MJML closes by itself need no special case.
 * @param format in MJML, the elements of MJML count too
 */
export function markupWarnings(source: string, format: "html" | "mjml"): Found[] {
  const found: Found[] = [];
  const defaults = new MjmlDefaults();
  let navbarBase = "";
  const tokenizer = new Tokenizer(
    { sourceCodeLocationInfo: true },
    {
      ...IGNORED_TOKENS,
      onStartTag(tag) {
        if (format === "mjml" && defaults.start(tag)) return;
        const valueOf = (name: string): string | undefined =>
          tag.tagName.startsWith("mj-") ? defaults.valueOf(tag, name) : attributeOf(tag, name);
        if (tag.tagName === "mj-navbar") navbarBase = valueOf("base-url") ?? "";
        if (found.length < WARNINGS_MAX) found.push(...warningsOf(tag, format, { valueOf, navbarBase }));
        tokenizer.state = TEXT_CONTENT.get(tag.tagName) ?? TokenizerMode.DATA;
      },
      onEndTag: (tag) => defaults.end(tag),
    },
  );
  tokenizer.write(source, true);
  return found;
}

const attributeOf = ({ attrs }: Token.TagToken, wanted: string): string | undefined =>
  attrs.find(({ name }) => name === wanted)?.value;

type Known = {
  /** The tag's attributes. */
  valueOf(name: string): string | undefined;
  /** What the compiler of MJML puts before the addresses of this `mj-navbar`. */
  readonly navbarBase: string;
};

function* warningsOf(
  tag: Token.TagToken,
  format: "html" | "mjml",
  { valueOf, navbarBase }: Known,
): Generator<Found> {
  const { tagName, location } = tag;
  const isMjml = format === "mjml" && tagName.startsWith("mj-");
  const index = location?.startOffset ?? 0;
  const isImage = tagName === "img" || (isMjml && /^mj-(?:carousel-)?image$/.test(tagName));
  const placeOf = (wanted: string) => location?.attrs?.[wanted]?.startOffset ?? index;
  if (isImage && trimAsBrowsersDo(valueOf("src") ?? "") === "")
    yield { message: NO_SOURCE, index: placeOf("src") };
  for (const named of isImage || tagName === "mj-social-element" ? SHOWN_IMAGES : BACKGROUNDS) {
    const address = valueOf(named) ?? "";
    if (named !== "src" && IS_WORD.test(address)) continue;
    const problem = imageProblem(address);
    if (problem !== null) yield { message: problem, index: placeOf(named) };
  }
  if (isImage && valueOf("alt") === undefined) yield { message: NO_ALT, index };
  if (tagName !== "a" && tagName !== "area" && !isMjml) return;
  const href = valueOf("href");
  const before = tagName === "mj-navbar-link" ? navbarBase : "";
  const message = href === undefined ? null : linkProblem(before + href);
  if (message !== null) yield { message, index: placeOf("href") };
}
