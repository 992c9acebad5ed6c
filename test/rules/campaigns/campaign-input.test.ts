import { describe, expect, test } from "bun:test";
import { unwrap } from "#core/errors/errors.ts";
import { parseCampaignChange, parseNewCampaign } from "#campaigns/campaign-input.ts";
import { campaignChangeBody, newCampaignBody } from "#campaigns/schema.ts";
import { expectRefused, readAs } from "../../support/server/body.ts";

const MAY = { name: "May", subject: "News from Ada", body: "<p>Hello</p>" };

const readNew = readAs(newCampaignBody, parseNewCampaign);
const readChange = readAs(campaignChangeBody, parseCampaignChange);

describe("POST /campaigns", () => {
  test("name, subject and body are enough", () => {
    expect(unwrap(readNew(MAY))).toEqual({ ...MAY, listId: null });
  });

  test("takes a list, and null for none", () => {
    expect(unwrap(readNew({ ...MAY, listId: "lst_1" })).listId).toBe("lst_1");
    expect(unwrap(readNew({ ...MAY, listId: null })).listId).toBeNull();
  });

  test.each(["name", "subject", "body"])("%s is required", (field) => {
    for (const value of [undefined, null]) expectRefused(readNew({ ...MAY, [field]: value }), field);
  });
});

describe("PATCH /campaigns/{id}", () => {
  const NOTHING = {
    name: undefined,
    subject: undefined,
    body: undefined,
    listId: { kind: "absent" } as const,
  };

  test("an empty body asks for nothing, and so does null for a field that cannot be empty", () => {
    expect(unwrap(readChange({}))).toEqual(NOTHING);
    expect(unwrap(readChange({ name: null, subject: null, body: null }))).toEqual(NOTHING);
  });

  test("listId is set by an id and cleared by null", () => {
    expect(unwrap(readChange({ listId: "lst_1" }))).toEqual({
      ...NOTHING,
      listId: { kind: "set", value: "lst_1" },
    });
    expect(unwrap(readChange({ listId: null }))).toEqual({ ...NOTHING, listId: { kind: "clear" } });
  });

  test("each field may come alone", () => {
    expect(unwrap(readChange({ subject: " June " }))).toEqual({ ...NOTHING, subject: "June" });
    expect(unwrap(readChange({ name: "June" }))).toEqual({ ...NOTHING, name: "June" });
    expect(unwrap(readChange({ body: "<b>" }))).toEqual({ ...NOTHING, body: "<b>" });
  });
});

describe.each([
  ["create", (fields: Record<string, unknown>) => readNew({ ...MAY, ...fields })],
  ["update", readChange],
])("on %s", (_, parse) => {
  const accepted = (fields: Record<string, unknown>) => unwrap<Record<string, unknown>>(parse(fields));

  test.each([
    ["name", 200],
    ["subject", 998],
  ])("%s has at most %d characters, counted in code points after trimming", (field, most) => {
    for (const char of ["x", "é", "👩"]) {
      const longest = char.repeat(most);
      expect(accepted({ [field]: ` ${longest} ` })).toMatchObject({ [field]: longest });
      expectRefused(parse({ [field]: longest + char }), field);
    }
  });

  test.each(["name", "subject"])("%s is one line without control characters", (field) => {
    for (const char of [
      "\n",
      "\r",
      "\r\nBcc: linus@example.org\r\n",
      "\0",
      "\t",
      "\v",
      "\f",
      "\u001b",
      "\u007f",
      "\u0085",
      "\u2028",
      "\u2029",
    ]) {
      expectRefused(parse({ [field]: `Hello${char}there` }), field);
    }
    expect(accepted({ [field]: "\r\n Hello, “Ada” <b>&amp;</b> {{ name }} 👩‍💻\n" })).toMatchObject({
      [field]: "Hello, “Ada” <b>&amp;</b> {{ name }} 👩‍💻",
    });
  });

  test.each(["name", "subject", "body"])(
    "an empty %s, one of white space and one that is no string are refused",
    (field) => {
      for (const value of ["", " ", "\n\t", 7, true, {}, ["x"]])
        expectRefused(parse({ [field]: value }), field);
    },
  );

  test("body has at most 524,288 bytes of UTF-8, whatever its characters take", () => {
    for (const [char, bytes] of [
      ["x", 1],
      ["é", 2],
      ["€", 3],
      ["👩", 4],
    ] as const) {
      const fits = char.repeat(Math.floor(524_288 / bytes));
      const full = fits + "x".repeat(524_288 - bytes * (fits.length / char.length));
      expect(accepted({ body: full })["body"]).toBe(full);
      expectRefused(parse({ body: `${full}x` }), "524288");
    }
  });

  test("body is kept as written", () => {
    const body = "\n <p>Hi\r\n\t{{ name }} </p>\n\n";
    expect(accepted({ body })).toMatchObject({ body });
  });

  test("a lone surrogate, which no mail can carry, becomes U+FFFD", () => {
    expect(accepted({ name: "a\ud83d", subject: "\udc00b", body: "<p>\ud83d</p>" })).toMatchObject({
      name: "a\ufffd",
      subject: "\ufffdb",
      body: "<p>\ufffd</p>",
    });
  });

  test("a listId that is empty or no string is refused", () => {
    for (const listId of ["", 7, true, {}, ["lst_1"]]) expectRefused(parse({ listId }), "listId");
  });
});
