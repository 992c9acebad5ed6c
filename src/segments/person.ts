import type { Attributes } from "#attributes/attribute.ts";
import type { Instant } from "#core/time/clock.ts";
import type { Contact } from "#contacts/contact.ts";
import type { JsonObject } from "#core/request/json-value.ts";

/**
 * Everything that conditions ask of a contact, as plain data. What no condition of a rule asks for may be
 * left empty.
 */
export type Person = {
  readonly contact: Pick<Contact, "email" | "firstName" | "lastName" | "tags" | "status" | "createdAt"> & {
    readonly attributes: Attributes;
  };
  readonly listIds: ReadonlySet<string>;
  /** 0 for somebody without one. */
  readonly score: number;
  readonly events: readonly PersonEvent[];
  /** Mails to them that the relay accepted. */
  readonly mails: readonly PersonMail[];
};

type PersonEvent = {
  readonly name: string;
  readonly at: Instant;
  readonly properties: JsonObject;
};

/** Opens and clicks are a person's, not a machine's; a click is no open. Null: not yet. */
type PersonMail = {
  readonly mailId: string;
  readonly receivedAt: Instant | null;
  readonly openedAt: Instant | null;
  readonly clickedAt: Instant | null;
};
