import { isAttributeName } from "#attributes/attribute.ts";
import type { Instant } from "#core/time/clock.ts";
import { isLanguage, type Language } from "#texts/language.ts";
import type { JsonObject } from "#core/request/json-value.ts";

/**
 * A sign-up form. `fields` and `style` are stored as they were sent; the pages check them when they use them.
 */
export type Form = {
  readonly id: string;
  readonly name: string;
  /** The list that new subscribers join. */
  readonly listId: string | null;
  readonly fields: readonly string[];
  readonly style: JsonObject;
  readonly successMessage: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
};

export const DEFAULT_FIELDS: readonly string[] = ["firstName"];
export const DEFAULT_SUCCESS_MESSAGE = "Thanks! You're subscribed.";

/** How many fields a form may name, and how long its texts may be, in characters. */
export const FIELDS_MAX = 20;
export const FIELD_CHARACTERS_MAX = 64;
export const SUCCESS_MESSAGE_CHARACTERS_MAX = 2_000;

/** Fields that are no attributes: the address and the names. */
const OWN_FIELDS: readonly string[] = ["email", "firstName", "lastName"];

/** The attributes among a form's `fields`, each once; other entries are kept and ignored. */
export const attributeFields = (fields: readonly string[]): string[] => [
  ...new Set(fields.filter((field) => isAttributeName(field) && !OWN_FIELDS.includes(field))),
];

/** The language that a form speaks: that of its style, or the workspace's. */
export function formLanguage({ style }: Pick<Form, "style">, workspace: Language): Language {
  const own = Object.hasOwn(style, "language") ? style["language"] : undefined;
  return isLanguage(own) ? own : workspace;
}
