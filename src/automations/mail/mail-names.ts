import { closestOf } from "#core/text/closest.ts";
import { namesIn, type LiquidName } from "#mail/liquid/liquid-names.ts";
import type { LiquidKind } from "#mail/liquid/liquid.ts";
import { foreignMergeTagsIn, namedTags } from "#mail/liquid/merge-tags.ts";
import { MAIL_NAMES } from "./mail-content.ts";

/**
 * A warning for each name in a mail's template that always stays empty, and one for merge tags of other
 * services. Whole sentences.
 */
export function emptyNames(source: string, kind: LiquidKind): string[] {
  const unknown = namesIn(source, kind).filter(({ path }) => !isKnown(path));
  const tags = foreignMergeTagsIn(source);
  return [...unknown.slice(0, SHOWN_MAX).map(warning), ...(tags.length > 0 ? [foreignWarning(tags)] : [])];
}

const SHOWN_MAX = 20;
const KNOWN = Object.entries(MAIL_NAMES).flatMap(([of, names]) => names.map((name) => `${of}.${name}`));

/** Below a known member, the names belong to the contact or the event. */
function isKnown([first = "", second]: readonly string[]): boolean {
  const members = Object.hasOwn(MAIL_NAMES, first) ? MAIL_NAMES[first as keyof typeof MAIL_NAMES] : null;
  return members !== null && (second === undefined || (members as readonly string[]).includes(second));
}

function warning({ text, path, position }: LiquidName): string {
  const { line, column } = position();
  const meant = meantBy(path);
  const instead = meant === null ? `Mails know ${KNOWN.join(", ")}.` : `Did you mean ${meant}?`;
  return `Nothing is filled in for \`${text}\` in line ${line}, column ${column}: there is no such name. ${instead}`;
}

/** `contact.first_name`, `first_name` and `subscriber.first_name` all mean `contact.firstName`. */
function meantBy(path: readonly string[]): string | null {
  const [first = ""] = path;
  const of = first === "event" ? "event" : "contact";
  const member = closestOf(path.at(-1) ?? "", MAIL_NAMES[of]);
  return member === null ? null : `${of}.${member}`;
}

const foreignWarning = (tags: readonly string[]): string =>
  `What looks like merge tags of another service is sent as it stands: ${namedTags(tags)}. Write them in Liquid, as {{ contact.firstName }}.`;
