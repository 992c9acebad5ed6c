/**
 * What a careful colleague would say about a letter before it is sent. Only what its author wrote is checked, not
 * the footer, the tracking and the links that the service adds.
 */
import { codePoints } from "#core/text/text.ts";
import { parseLiquid, type LiquidKind } from "#mail/liquid/liquid.ts";
import { allNames, meantBy, unknownNames, type KnownNames } from "#mail/liquid/unknown-names.ts";
import { unfilledTagsIn } from "#mail/liquid/merge-tags.ts";
import { markupWarnings, WARNINGS_MAX, type Found } from "./markup-warnings.ts";
import { placesIn, type Problem } from "./problem.ts";
import { UNKNOWN, withoutLiquid } from "#mail/liquid/without-liquid.ts";

/** A letter as it was written. */
export type WrittenLetter = {
  readonly subject: string;
  /** `""` if there is none. */
  readonly preheader: string;
  readonly body: string;
  readonly format: "html" | "mjml";
  /** Null: it is made from the HTML. */
  readonly text: string | null;
  /** Whether all of it is Liquid. */
  readonly isLiquid: boolean;
  /** The names that are filled in. Left out: whoever sends it brings their own. */
  readonly names?: KnownNames;
};

type Part = "subject" | "preheader" | "body" | "text part";
const KINDS: Readonly<Record<Part, LiquidKind>> = {
  subject: "line",
  preheader: "line",
  body: "html",
  "text part": "text",
};

const SUBJECT_CHARACTERS = 150;

/** In the order of the letter: subject, preheader, body, text. */
export function letterWarnings(letter: WrittenLetter): Problem[] {
  const { subject, preheader, body, format, text, isLiquid } = letter;
  const markup = markupWarnings(isLiquid ? withoutLiquid(body) : body, format);
  return [
    ...outside([...unfilled(letter, "subject", subject), ...longSubject(letter)]),
    ...outside(unfilled(letter, "preheader", preheader)),
    ...placed(body, [...unfilled(letter, "body", body), ...markup]),
    ...(text === null ? [] : outside([...unfilled(letter, "text part", text), ...linkless(letter)])),
  ].slice(0, WARNINGS_MAX);
}

/** Of a part that is not the body: it is named by the message, and has no place in the source. */
const outside = (found: readonly Found[]): Problem[] =>
  found
    .toSorted((a, b) => a.index - b.index)
    .map(({ message }) => ({ severity: "warning", message, line: null, column: null }));

function placed(text: string, found: readonly Found[]): Problem[] {
  const placeOf = placesIn(text);
  return found
    .toSorted((a, b) => a.index - b.index)
    .map(({ message, index }) => ({ severity: "warning", message, ...placeOf(index) }));
}

const unfilled = (letter: WrittenLetter, part: Part, text: string): Found[] => [
  ...mergeTags(letter, part, text),
  ...emptyNames(letter, part, text),
];

/**
 * A name of another service leaves an empty place, or a link that leads nowhere. What cannot be read, or is too
 * much, is an error, and not read again.
 */
function emptyNames({ isLiquid, names }: WrittenLetter, part: Part, text: string): Found[] {
  if (!isLiquid || names === undefined || !parseLiquid(text, KINDS[part]).ok) return [];
  return unknownNames(text, KINDS[part], names).map(({ text: name, path, index }) => {
    const meant = meantBy(path, names);
    const instead = meant === null ? `Letters know ${allNames(names)}.` : `Did you mean ${meant}?`;
    return {
      index,
      message: `Nothing is filled in for \`${name}\` in the ${part}: there is no such name. ${instead}`,
    };
  });
}

function mergeTags({ isLiquid }: WrittenLetter, part: Part, text: string): Found[] {
  return unfilledTagsIn(text, isLiquid).map((tag) => ({
    index: text.indexOf(tag),
    message: tagWarning(part, tag, isLiquid),
  }));
}

const tagWarning = (part: Part, tag: string, isLiquid: boolean): string =>
  isLiquid
    ? `What looks like a merge tag of another service stands in the ${part} and is sent as it is: ${tag}. Write it in Liquid.`
    : `What looks like a merge tag stands in the ${part}: ${tag}. Everybody reads it as it is, since \`personalize\` is off. Take it out, or set \`personalize\`.`;

function longSubject({ subject, isLiquid }: WrittenLetter): Found[] {
  const words = isLiquid ? withoutLiquid(subject).replaceAll(UNKNOWN, "") : subject;
  const characters = codePoints(words);
  if (characters <= SUBJECT_CHARACTERS) return [];
  const message = `The subject has ${characters} characters. Most mail programs show far fewer than ${SUBJECT_CHARACTERS}: shorten it.`;
  return [{ index: 0, message }];
}

function linkless({ text, isLiquid }: WrittenLetter): Found[] {
  if (text === null || /https?:\/\/|mailto:/i.test(text) || (isLiquid && hasLinkValue(text))) return [];
  return [
    { index: 0, message: "The text part has no link: who reads only text cannot go where the HTML leads." },
  ];
}

/** From each `{{` to its end or to the next one: so all of them are read only once. */
const VALUE = /\{\{(?:(?!\{\{)[^}])*\}\}/g;

const hasLinkValue = (text: string): boolean =>
  text.matchAll(VALUE).some(([value]) => /url|link/i.test(value));
