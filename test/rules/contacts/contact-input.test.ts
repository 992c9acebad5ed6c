import { describe, expect, test } from "bun:test";
import { unwrap, type Result } from "#core/errors/errors.ts";
import { parseContactChange, parseNewContact } from "#contacts/contact-input.ts";
import { contactChangeBody, newContactBody } from "#contacts/schema.ts";
import { expectRefused, readAs } from "../../support/server/body.ts";

const ADA = { email: "ada@example.com" };
const parseNew = readAs(newContactBody, parseNewContact);
const parseChange = readAs(contactChangeBody, parseContactChange);
const readNew = (body: Record<string, unknown>) => unwrap(parseNew(body));
const readChange = (body: Record<string, unknown>) => unwrap(parseChange(body));
const tagsOf = (count: number): string[] => Array.from({ length: count }, (_, i) => `tag ${i}`);

describe("POST /contacts", () => {
  test("an address alone is enough", () => {
    expect(readNew(ADA)).toEqual({
      email: "ada@example.com",
      firstName: undefined,
      lastName: undefined,
      tags: [],
      status: undefined,
      consent: undefined,
      attributes: undefined,
    });
  });

  test("all fields are read: trimmed, the address lowercased", () => {
    const body = {
      email: " Ada@Example.COM ",
      firstName: " Ada ",
      lastName: "Lovelace\n",
      tags: [" vip ", "x"],
      status: "PENDING",
      consent: "declined",
      attributes: { city: " Bern ", orders: null },
    };
    expect(readNew(body)).toEqual({
      email: "ada@example.com",
      firstName: "Ada",
      lastName: "Lovelace",
      tags: ["vip", "x"],
      status: "PENDING",
      consent: "declined",
      attributes: { city: " Bern ", orders: null },
    });
  });

  test("null for an optional field means not sent", () => {
    expect(
      readNew({
        ...ADA,
        firstName: null,
        lastName: null,
        tags: null,
        status: null,
        consent: null,
        attributes: null,
      }),
    ).toEqual(readNew(ADA));
  });

  test("an unreadable body, read as an empty one, is refused for its missing address", () => {
    expectRefused(parseNew({}), "email");
  });

  test.each([[""], ["ada"], ["ada@localhost"], [null], [7], [{}], [["ada@example.com"]]])(
    "the address %p is refused",
    (email) => {
      expectRefused(parseNew({ email }), "");
    },
  );

  test.each(["", "   ", "\0"])("the empty name %p leaves the field as it is", (name) => {
    expect(readNew({ ...ADA, firstName: name, lastName: name })).toEqual(readNew(ADA));
  });

  test.each([["firstName"], ["lastName"]])("a %s that is no string is refused", (field) => {
    for (const name of [7, true, {}, ["Ada"]]) expectRefused(parseNew({ ...ADA, [field]: name }), field);
  });

  test.each(["PENDING", "SUBSCRIBED", "UNSUBSCRIBED", "BOUNCED"])("the status %s is taken", (status) => {
    expect(readNew({ ...ADA, status }).status).toBe(status as "PENDING");
  });

  test.each([["pending"], [" PENDING"], [""], ["ACTIVE"], [0], [false], [[]], [["PENDING"]], [{}]])(
    "the unrecognized status %p falls back to SUBSCRIBED, also beside explicit consent",
    (status) => {
      expect(readNew({ ...ADA, status, consent: "explicit" })).toMatchObject({
        status: "SUBSCRIBED",
        consent: "explicit",
      });
    },
  );
});

describe("PATCH /contacts/{id}", () => {
  const absent = { kind: "absent" } as const;
  const NOTHING = {
    email: undefined,
    firstName: absent,
    lastName: absent,
    tags: undefined,
    status: undefined,
    consent: undefined,
    attributes: undefined,
  };

  test("an empty body asks for nothing", () => {
    expect(readChange({})).toEqual(NOTHING);
  });

  test("null asks for nothing, but clears a name", () => {
    expect(readChange({ email: null, tags: null, status: null, consent: null, attributes: null })).toEqual(
      NOTHING,
    );
    expect(readChange({ firstName: null })).toEqual({ ...NOTHING, firstName: { kind: "clear" } });
  });

  test.each(["", "  "])("the empty name %p clears the field, and only that one", (name) => {
    expect(readChange({ lastName: name })).toEqual({ ...NOTHING, lastName: { kind: "clear" } });
  });

  test("all fields are read", () => {
    const body = {
      email: "Grace@example.org",
      firstName: " Grace ",
      lastName: "Hopper",
      tags: [],
      status: "BOUNCED",
      consent: "explicit",
      attributes: {},
    };
    expect(readChange(body)).toEqual({
      email: "grace@example.org",
      firstName: { kind: "set", value: "Grace" },
      lastName: { kind: "set", value: "Hopper" },
      tags: [],
      status: "BOUNCED",
      consent: "explicit",
      attributes: {},
    });
  });

  test.each([[""], ["grace"], [7], [{}]])("the address %p is refused", (email) => {
    expectRefused(parseChange({ email }), "email");
  });

  test.each([["firstName"], ["lastName"]])("a %s that is no string is refused", (field) => {
    for (const name of [7, false, {}, []]) expectRefused(parseChange({ [field]: name }), field);
  });

  test.each([["pending"], [""], ["ACTIVE"], [0], [{}]])(
    "the unrecognized status %p is refused whatever consent says",
    (status) => {
      for (const consent of [undefined, "explicit", "declined"])
        expectRefused(parseChange({ status, consent }), "status");
    },
  );
});

type Parse = (fields: Record<string, unknown>) => Result<{ readonly tags: readonly string[] | undefined }>;
const ON_BOTH: [string, Parse][] = [
  ["POST", (fields) => parseNew({ ...ADA, ...fields })],
  ["PATCH", parseChange],
];

describe.each(ON_BOTH)("on %s", (_, parse) => {
  const tags = (value: unknown) => unwrap(parse({ tags: value })).tags;

  test("tags are trimmed, empty ones dropped, repeated ones kept once in first-seen order; case matters", () => {
    expect(tags([" b ", "a", "", "  ", "b", "B", "a\0"])).toEqual(["b", "a", "B"]);
  });

  test("50 tags are allowed, 51 are not, and only what is left after cleaning counts", () => {
    expect(tags(tagsOf(50))).toHaveLength(50);
    expect(tags([...tagsOf(50), " tag 0 ", ""])).toHaveLength(50);
    expectRefused(parse({ tags: tagsOf(51) }), "50");
  });

  test("a tag has 100 characters at most, counted in code points after trimming", () => {
    expect(tags([` ${"x".repeat(100)} `, "👩".repeat(100)])).toHaveLength(2);
    expectRefused(parse({ tags: ["x".repeat(101)] }), "100");
    expectRefused(parse({ tags: ["👩".repeat(101)] }), "100");
  });

  test("tags that are no array, or hold anything but strings, are refused", () => {
    for (const value of ["vip", 7, true, {}, { 0: "vip", length: 1 }])
      expectRefused(parse({ tags: value }), "tags");
    for (const entry of [null, 7, true, {}, ["vip"]]) expectRefused(parse({ tags: ["vip", entry] }), "tags");
  });

  test("consent is explicit, declined or not sent", () => {
    for (const consent of ["explicit", "declined"])
      expect(unwrap(parse({ consent }))).toMatchObject({ consent });
    for (const consent of ["", "EXPLICIT", " explicit", "yes", true, 0, {}, ["explicit"]])
      expectRefused(parse({ consent }), "consent");
  });

  test("names keep every character but NUL and lone surrogates", () => {
    const result = parse({ firstName: "J\0osé 👩‍💻", lastName: "<b>\ud83d</b>" });
    expect(JSON.stringify(result)).toContain("José 👩‍💻");
    expect(JSON.stringify(result)).toContain("<b>\ufffd</b>");
  });

  test("members nobody asked for change nothing", () => {
    expect(parse(JSON.parse('{"__proto__":{"status":"BOUNCED"},"id":"x","createdAt":1}'))).toEqual(parse({}));
  });
});
