import type { Signup } from "#forms/store.ts";

/** A letter that goes to one person at a time, as they come: a form's confirmation, or the mail of a step. */
export type SingleLetter = {
  readonly workspace: number;
  readonly kind: "confirmation" | "automation";
  /** The same for all who get this letter; ASCII without spaces. */
  readonly sourceId: string;
  /** The month whose limit it counts for, as `localTime` names it. Null: it counts for none. */
  readonly month: string | null;
  /** The frozen letter as JSON. Asked only for the first message. */
  content(): string;
  readonly at: number;
};

/** The source of a mailing that is made in addition to a held one. */
export const laterSource = ({ sourceId, at }: SingleLetter): string => `${sourceId}:${at}`;

/** From (included) and to (excluded): the source itself and all later ones, since `:` is followed by `;` in ASCII. */
export const sourceRange = ({ sourceId }: SingleLetter): [string, string] => [sourceId, `${sourceId};`];

/** The letter of a form's confirmation. It counts for no month. */
export const confirmationLetter = (
  workspace: number,
  { sourceId, content }: NonNullable<Signup["letter"]>,
  at: number,
): SingleLetter => ({
  workspace,
  kind: "confirmation",
  sourceId,
  month: null,
  content: () => JSON.stringify(content),
  at,
});
