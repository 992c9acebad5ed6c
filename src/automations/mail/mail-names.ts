import { foreignMergeTagsIn, namedTags } from "#mail/liquid/merge-tags.ts";
import { allNames, meantBy, unknownNames } from "#mail/liquid/unknown-names.ts";
import type { LiquidName } from "#mail/liquid/liquid-names.ts";
import type { LiquidKind } from "#mail/liquid/liquid.ts";
import { MAIL_NAMES } from "./mail-content.ts";

/**
 * A warning for each name in a mail's template that always stays empty, and one for merge tags of other
 * services. Whole sentences.
 */
export function emptyNames(source: string, kind: LiquidKind): string[] {
  const tags = foreignMergeTagsIn(source);
  return [
    ...unknownNames(source, kind, MAIL_NAMES).map(warning),
    ...(tags.length > 0 ? [foreignWarning(tags)] : []),
  ];
}

function warning({ text, path, position }: LiquidName): string {
  const { line, column } = position();
  const meant = meantBy(path, MAIL_NAMES);
  const instead = meant === null ? `Mails know ${allNames(MAIL_NAMES)}.` : `Did you mean ${meant}?`;
  return `Nothing is filled in for \`${text}\` in line ${line}, column ${column}: there is no such name. ${instead}`;
}

const foreignWarning = (tags: readonly string[]): string =>
  `What looks like merge tags of another service is sent as it stands: ${namedTags(tags)}. Write them in Liquid, as {{ contact.firstName }}.`;
