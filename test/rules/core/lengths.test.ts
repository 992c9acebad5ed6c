import { describe, expect, test } from "bun:test";
import { parseAutomationChange, parseNewAutomation } from "#automations/flow/automation-input.ts";
import { readAction } from "#automations/flow/action.ts";
import { parseCampaignChange } from "#campaigns/campaign-input.ts";
import { sendBody } from "#campaigns/schema.ts";
import { readSendOptions } from "#campaigns/send/send-input.ts";
import { parseContactChange, parseNewContact } from "#contacts/contact-input.ts";
import { accept, type Result } from "#core/errors/errors.ts";
import { normalizeEventName } from "#events/event-name.ts";
import { parseFormChange, parseNewForm } from "#forms/form-input.ts";
import { parseListContent } from "#lists/list-input.ts";
import { parseExtraHeaders } from "#transactional/request/extra-headers.ts";
import { parseSendRequest } from "#transactional/request/send-request.ts";
import { atOnce } from "#core/time/event-loop.ts";
import { readAs } from "../../support/server/body.ts";

/** Each is one character, and two UTF-16 units. */
const characters = (count: number): string => "😀".repeat(count);

/** A field, the most characters it takes, and who reads it. */
const FIELDS: [string, number, (text: string) => Result<unknown>][] = [
  ["form name", 200, (name) => parseNewForm({ name })],
  ["form's new name", 200, (name) => parseFormChange({ name })],
  ["success message", 2_000, (successMessage) => parseFormChange({ successMessage })],
  ["form field", 64, (field) => parseFormChange({ fields: ["firstName", field] })],
  ["list name", 200, (name) => parseListContent({ name })],
  ["first name", 200, (firstName) => parseNewContact({ email: "ada@example.com", firstName })],
  ["last name", 200, (lastName) => parseNewContact({ email: "ada@example.com", lastName })],
  ["new first name", 200, (firstName) => parseContactChange({ firstName })],
  ["new last name", 200, (lastName) => parseContactChange({ lastName })],
  ["automation name", 200, (name) => parseNewAutomation({ name })],
  ["automation's new name", 200, (name) => parseAutomationChange({ name })],
  ["campaign name", 200, (name) => parseCampaignChange({ name })],
  [
    "node id",
    200,
    (id) => parseAutomationChange({ flowJson: { nodes: [{ id, type: "end", data: {} }], edges: [] } }),
  ],
];

describe("lengths", () => {
  test.each(FIELDS)("%s: %d characters, and not one more", (_, max, parse) => {
    expect(parse(characters(max))).toMatchObject({ ok: true });
    expect(parse(characters(max + 1))).toMatchObject({
      ok: false,
      refusal: {
        code: "VALIDATION_ERROR",
        message: expect.stringContaining(`longer than ${max} characters`),
      },
    });
    expect(parse("x".repeat(4_000_000)).ok).toBe(false);
  });

  test("the value of set_field is a name", () => {
    const action = (value: string) => readAction({ action: "set_field", field: "firstName", value });
    expect(action(characters(200)).ok).toBe(true);
    expect(action(characters(201)).ok).toBe(false);
  });

  test("a form has at most 20 fields; entries that are no strings do not count", () => {
    const fields = Array.from({ length: 20 }, (_, i) => `field${i}`);
    expect(parseFormChange({ fields: [...fields, 1, null] }).ok).toBe(true);
    expect(parseFormChange({ fields: [...fields, "one more"] })).toMatchObject({
      refusal: { message: "`fields` has 21 entries; at most 20 are allowed." },
    });
  });

  test("a send leaves out as many addresses by name as a body may hold", () => {
    const many = (count: number) =>
      readAs(sendBody, (body) => accept(atOnce(readSendOptions(body))))({
        excludeEmails: Array(count).fill("ada@example.com"),
      });
    expect(many(99_000).ok).toBe(true);
  });

  test("variables have at most a million characters of JSON", () => {
    const mail = { to: "ada@example.com", subject: "a", text: "a" };
    expect(parseSendRequest({ ...mail, variables: { a: "x".repeat(1_000_000) } }).ok).toBe(true);
    expect(parseSendRequest({ ...mail, variables: { a: "x".repeat(1_048_576) } })).toMatchObject({
      refusal: { message: expect.stringContaining("`variables` has more than") },
    });
  });

  test("headers are counted before any of them is looked at", () => {
    const headers = Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`Not-X-${i}`, "1"]));
    expect(parseExtraHeaders(headers)).toMatchObject({
      refusal: { message: "`headers` has 10000 fields; a message takes at most 50." },
    });
  });

  test("a tag list of a million empty strings is refused unread", () => {
    expect(parseNewContact({ email: "ada@example.com", tags: Array(1_000_000).fill("") })).toMatchObject({
      refusal: { message: "`tags` has 1000000 entries. Send fewer." },
    });
  });

  test("of a long event name only the beginning is read, white space before it apart", () => {
    expect(normalizeEventName(`${" ".repeat(1_000_000)}Order Placed`)).toBe("order_placed");
    expect(normalizeEventName(`Order${"\uFDFA".repeat(1_000_000)}`)).toHaveLength(64);
    expect(normalizeEventName("😀".repeat(5_000))).toBe("");
  });
});
