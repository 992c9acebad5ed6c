import { sizeWarning } from "#mail/letter/letter-size.ts";
import { namedTags, unfilledTagsIn } from "#mail/liquid/merge-tags.ts";
import type { WrittenLetter } from "#mail/problems/letter-warnings.ts";

/** A letter, and the size of its HTML as it will be sent. */
type Sized = Omit<WrittenLetter, "format"> & { readonly bytes: number };

/**
 * What the author probably did not intend, for the report and the log; the letter is sent all the same. Of what a
 * preview says (`letterWarnings`), this is what reaches every recipient, in one sentence a part. No markup is read,
 * so it may run on the event loop.
 */
export function campaignWarnings({ subject, preheader, body, text, isLiquid, bytes }: Sized): string[] {
  const parts = { subject, preheader, body, "text part": text ?? "" };
  const tags = Object.entries(parts).map(([part, written]) =>
    tagWarning(part, unfilledTagsIn(written, isLiquid), isLiquid),
  );
  return [...tags, sizeWarning(bytes)].filter((warning) => warning !== null);
}

function tagWarning(part: string, tags: readonly string[], isLiquid: boolean): string | null {
  if (tags.length === 0) return null;
  return isLiquid
    ? `The ${part} holds what looks like merge tags of another service: ${namedTags(tags)}. It is sent as written, so everybody reads ` +
        "them as they stand. Write them as Liquid."
    : `The ${part} holds what looks like merge tags: ${namedTags(tags)}. It is sent as written, so everybody reads them as they ` +
        "stand. Take them out, or set `personalize` with PATCH /campaigns/{id}/options and write them as Liquid.";
}
