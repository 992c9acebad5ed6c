import { accept, invalid, type Result } from "#core/errors/errors.ts";
import { parseRules, type SentRules } from "#segments/segment-input.ts";

/** Contacts that somebody chose: one by one, or everybody whom rules hold for. */
export type Selection =
  | { readonly kind: "ids"; readonly contactIds: readonly string[] }
  | { readonly kind: "rules"; readonly sent: SentRules };

const IDS_MAX = 1_000;

type SelectionBody = { readonly contactIds?: unknown; readonly rules?: unknown };

/** Reads `contactIds` or `rules` of a body: exactly one of them is sent. */
export function parseSelection({ contactIds, rules }: SelectionBody): Result<Selection> {
  const hasIds = contactIds !== undefined && contactIds !== null;
  const hasRules = rules !== undefined && rules !== null;
  if (hasIds === hasRules) return invalid("Send either `contactIds` or `rules`: who is meant.");
  if (hasRules) {
    const sent = parseRules({ rules });
    return sent.ok ? accept({ kind: "rules", sent: sent.value }) : sent;
  }
  const ids: readonly unknown[] = Array.isArray(contactIds) ? contactIds : [];
  const texts = ids.filter((id) => typeof id === "string" && id !== "");
  return texts.length === ids.length && ids.length > 0 && ids.length <= IDS_MAX
    ? accept({ kind: "ids", contactIds: [...new Set(texts as readonly string[])] })
    : invalid(`\`contactIds\` must be an array of 1 to ${IDS_MAX} ids of contacts.`);
}
