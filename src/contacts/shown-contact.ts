import { isoOf } from "#core/time/iso.ts";
import type { Contact, ContactStatus } from "./contact.ts";

/** A contact as answers and webhooks show it, unless more is asked for. */
export type ShownContact = {
  readonly id: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly tags: readonly string[];
  readonly status: ContactStatus;
  readonly createdAt: string;
};

export const shownContact = ({
  id,
  email,
  firstName,
  lastName,
  tags,
  status,
  createdAt,
}: Contact): ShownContact => ({
  id,
  email,
  firstName,
  lastName,
  tags,
  status,
  createdAt: isoOf(createdAt),
});
