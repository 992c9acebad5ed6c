import type { LetterToFreeze } from "#campaigns/send/frozen-letter.ts";
import { storedOptions } from "./campaign-options.ts";

/** A campaign's letter as it is stored; the list is null if there is none. */
export type LetterRow = Pick<LetterToFreeze, "name" | "subject" | "html"> & {
  readonly text: string | null;
  readonly options: string | null;
  readonly listId: string | null;
  readonly listName: string | null;
};

export function letterToFreeze({
  name,
  subject,
  html,
  text,
  options,
  listId,
  listName,
}: LetterRow): LetterToFreeze {
  const list = listId === null || listName === null ? null : { id: listId, name: listName };
  return { name, subject, html, options: { ...storedOptions(options), text }, list };
}
