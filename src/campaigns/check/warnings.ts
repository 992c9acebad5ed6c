import { sizeWarning } from "#mail/letter/letter-size.ts";
import { mergeTagsIn, namedTags } from "#mail/liquid/merge-tags.ts";

type Letter = {
  readonly subject: string;
  /** As the author wrote it. */
  readonly html: string;
  /** Size of the HTML as it will be sent. */
  readonly bytes: number;
  /** Whether the letter is Liquid, so that its tags are filled in. */
  readonly personalize: boolean;
};

/**
 * What the author probably did not intend; the letter is sent all the same. Whole sentences; empty if nothing looks
 * wrong.
 */
export function letterWarnings({ subject, html, bytes, personalize }: Letter): string[] {
  return [
    personalize ? null : tagWarning("subject", mergeTagsIn(subject)),
    personalize ? null : tagWarning("body", mergeTagsIn(html)),
    sizeWarning(bytes),
  ].filter((warning) => warning !== null);
}

function tagWarning(place: "subject" | "body", tags: readonly string[]): string | null {
  if (tags.length === 0) return null;
  return (
    `The ${place} holds what looks like merge tags: ${namedTags(tags)}. It is sent as written, so everybody reads them as they ` +
    "stand. Take them out, or set `personalize` with PATCH /campaigns/{id}/options and write them as Liquid."
  );
}
