/** What a change or a deletion of a contact does to its addresses (src/contacts/contact-plan.ts). */
import { describe, expect, test } from "bun:test";
import { unwrap } from "#core/errors/errors.ts";
import { absent } from "#core/request/patch.ts";
import { NO_ATTRIBUTES } from "#attributes/attribute.ts";
import type { Contact } from "#contacts/contact.ts";
import type { ContactChange } from "#contacts/contact-input.ts";
import { planPatch, suppressionOnDelete } from "#contacts/contact-plan.ts";

const ORIGIN = { source: "api", formId: null, clientAddress: null, userAgent: null } as const;
const [OLD, NEW] = ["ada@example.com", "lovelace@example.com"];

const ADA: Contact = {
  id: "ct_1",
  email: OLD,
  firstName: "Ada",
  lastName: "",
  tags: [],
  status: "SUBSCRIBED",
  attributes: NO_ATTRIBUTES,
  createdAt: 1,
};

const NOTHING: ContactChange = {
  email: undefined,
  firstName: absent,
  lastName: absent,
  tags: undefined,
  status: undefined,
  consent: undefined,
  attributes: undefined,
};

/** What a change of Ada does to addresses. */
function after(change: Partial<ContactChange>) {
  const found = { contact: ADA, attributeHolders: new Map() };
  const { contact, suppress, voidLinksOf } = unwrap(planPatch(found, { ...NOTHING, ...change }, ORIGIN, 9));
  return { email: contact.email, suppressed: suppress?.addresses ?? [], void: voidLinksOf };
}

describe("a contact that is changed", () => {
  test("keeps the links that were sent to it, if its address and its consent stay", () => {
    expect(after({ tags: ["vip"] })).toEqual({ email: OLD, suppressed: [], void: [] });
    expect(after({ email: OLD })).toEqual({ email: OLD, suppressed: [], void: [] });
  });

  test("has no link of either address any more once it has another: each was sent to whoever reads that one", () => {
    expect(after({ email: NEW })).toEqual({ email: NEW, suppressed: [], void: [OLD, NEW] });
  });

  test("is out with its own address, and its links are void", () => {
    expect(after({ consent: "declined" })).toEqual({ email: OLD, suppressed: [OLD], void: [OLD] });
  });

  test("is out with both addresses, if it opts out and gets another at once", () => {
    expect(after({ email: NEW, status: "UNSUBSCRIBED" })).toEqual({
      email: NEW,
      suppressed: [OLD, NEW],
      void: [OLD, NEW],
    });
  });
});

test.each([
  ["SUBSCRIBED", null],
  ["PENDING", null],
  ["UNSUBSCRIBED", "UNSUBSCRIBED"],
  ["BOUNCED", "HARD_BOUNCE"],
] as const)("a contact that is deleted while it is %s leaves this suppression: %p", (status, reason) => {
  expect(suppressionOnDelete({ ...ADA, status })).toBe(reason);
});
