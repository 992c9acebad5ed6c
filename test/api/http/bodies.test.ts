/** A body that says its length is read whole, another piece by piece: no request can tell. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop({ graceMs: 0 }));

type Sent = NonNullable<RequestInit["body"]>;
type Body = string | Uint8Array<ArrayBuffer>;
const bytesOf = (body: Body): Uint8Array<ArrayBuffer> =>
  typeof body === "string" ? new TextEncoder().encode(body) : body;

/** In pieces of 7 bytes, without a Content-Length. */
const inPieces = (body: Body): ReadableStream => {
  const bytes = bytesOf(body);
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += 7) controller.enqueue(bytes.slice(at, at + 7));
      controller.close();
    },
  });
};

type Headers = Readonly<Record<string, string>>;
const asked = async (method: string, path: string, body: Sent, more: Headers = {}) => {
  const headers = { authorization: `Bearer ${api.key}`, ...more };
  const response = await fetch(`${api.url}/api/v1${path}`, { method, headers, body });
  return { status: response.status, body: (await response.json()) as any };
};
const post = (path: string, body: Sent, more?: Headers) => asked("POST", path, body, more);

const utf16 = (text: string) => Buffer.from(text, "utf16le");

const WAYS = [
  ["whole", (body: Body): Sent => bytesOf(body)],
  ["in pieces", inPieces],
] as const;

describe.each(WAYS)("a body sent %s", (way, sent) => {
  test("is read as UTF-8, with or without a byte order mark", async () => {
    const email = `ada-${way.replace(" ", "-")}@example.com`;
    const first = await post("/contacts", sent(JSON.stringify({ email, firstName: "Åda 🦉" })));
    expect([first.status, first.body.data.firstName]).toEqual([201, "Åda 🦉"]);
    expect((await post("/contacts", sent(`\uFEFF${JSON.stringify({ email })}`))).status).toBe(200);
  });

  test.each([
    ["/contacts", 422],
    ["/events", 400],
  ])("is treated as unreadable by %s where it is: %d", async (path, status) => {
    for (const body of ["{", "", Uint8Array.from([0xff, 0xfe, 0x7b])])
      expect((await post(path, sent(body))).status).toBe(status);
  });

  test.each(["/contacts", "/events", "/contacts/bulk", "/send", "/segments/preview"])(
    "is refused by %s where it is compressed, for it would count as {}",
    async (path) => {
      for (const coding of ["gzip", "deflate", "br", "GZIP", "identity, gzip"]) {
        const { status, body } = await post(path, sent(Bun.gzipSync("{}")), { "content-encoding": coding });
        expect([status, body.error.code]).toEqual([422, "VALIDATION_ERROR"]);
        expect(body.error.message).toContain("without `Content-Encoding`");
      }
      for (const coding of ["identity", "utf-8", "aws-chunked", ""]) {
        const plain = await post(path, sent("{"), { "content-encoding": coding });
        expect(plain.body.error.message).not.toContain("Content-Encoding");
      }
    },
  );

  test.each([
    ["/contacts", 422, "{}"],
    ["/events", 400, "{}"],
    ["/contacts/bulk", 422, '{"contacts":[{}]}'],
    ["/events/bulk", 400, '{"events":[{}]}'],
  ])("is refused by %s where it is JSON with other letters than UTF-8: %d", async (path, status, around) => {
    const one = '{"name":"signup","email":"joerg@example.com","firstName":"J\xf6rg","tags":["K\xe4ufer"]}';
    const json = around.replace("{}", one);
    const answer = await post(path, sent(Uint8Array.from(Buffer.from(json, "latin1"))));
    expect([answer.status, answer.body.error.code, answer.body.error.message]).toEqual([
      status,
      status === 400 ? "INVALID_JSON" : "VALIDATION_ERROR",
      "The body is JSON, but not in UTF-8. Send it in UTF-8.",
    ]);
    expect((await api.call("GET", "/contacts?q=joerg")).body.data).toEqual([]);
  });

  test.each([
    ["UTF-16 with a byte order mark, as Windows writes files", (json: string) => utf16(`\uFEFF${json}`)],
    ["UTF-16 without one", utf16],
    ["big-endian UTF-16 with one", (json: string) => utf16(`\uFEFF${json}`).swap16()],
    ["big-endian UTF-16 without one", (json: string) => utf16(json).swap16()],
  ])("is refused where it is JSON in %s: an opt-out in it would be lost with a 200", async (_, inLetters) => {
    const person = (await api.call("POST", "/contacts", { email: "windows@example.com" })).body.data;
    const optOut = Uint8Array.from(inLetters('{"consent":"declined"}'));
    for (const [method, path, status, json] of [
      ["PATCH", `/contacts/${person.id}`, 422, optOut],
      ["POST", "/contacts", 422, optOut],
      ["POST", "/contacts/bulk", 422, Uint8Array.from(inLetters('{"contacts":[{}]}'))],
      ["POST", "/events", 400, optOut],
    ] as const) {
      const answer = await asked(method, path, sent(json));
      expect([path, answer.status, answer.body.error?.message]).toEqual([
        path,
        status,
        "The body is JSON, but not in UTF-8. Send it in UTF-8.",
      ]);
    }
    expect((await api.call("GET", `/contacts/${person.id}`)).body.data.status).toBe("SUBSCRIBED");
  });

  test("may have half a character as an escape: it never comes back, for many readers of JSON refuse it", async () => {
    const half = String.raw`"a\ud800\ud83d\uDE00\\ud800"`;
    const whole = "a\ufffd😀\\ud800";
    const email = `half-${way.replace(" ", "-")}@example.com`;
    const event = `{"name":"half","email":"${email}","properties":{${half}:[${half}]}}`;
    expect((await post("/events", sent(event))).status).toBe(201);
    expect((await post("/events/bulk", sent(`{"events":[${event}]}`))).status).toBe(200);
    const { data } = (await api.call("GET", "/events?name=half&limit=2")).body;
    expect(data.map((one: any) => one.properties)).toEqual([{ [whole]: [whole] }, { [whole]: [whole] }]);
    const rules = `{"name":"Half","rules":{"field":"firstName","op":"equals","value":${half}}}`;
    expect((await post("/segments", sent(rules))).body.data.rules.value).toBe(whole);
    const list = (await api.call("POST", "/lists", { name: "Half" })).body.data;
    const unknown = await post(`/lists/${list.id}/contacts`, sent(`{"contactId":${half}}`));
    expect(unknown.body.error.message).toContain(whole);
  });

  test("is refused where it is a form: an opt-out in it would be lost with a 200", async () => {
    const person = (await api.call("POST", "/contacts", { email: "form@example.com" })).body.data;
    const urlEncoded = { "content-type": "application/x-www-form-urlencoded; charset=UTF-8" };
    const parts = { "content-type": "multipart/form-data; boundary=b" };
    for (const [method, path, status, body, type] of [
      ["PATCH", `/contacts/${person.id}`, 422, "status=UNSUBSCRIBED", urlEncoded],
      ["PATCH", `/contacts/${person.id}`, 422, "contact%5Bstatus%5D=UNSUBSCRIBED", urlEncoded],
      [
        "PATCH",
        `/contacts/${person.id}`,
        422,
        '--b\r\nContent-Disposition: form-data; name="consent"\r\n\r\ndeclined\r\n--b--\r\n',
        parts,
      ],
      ["POST", "/contacts", 422, "email=other%40example.com", urlEncoded],
      ["POST", "/events", 400, "name=signup&email=other%40example.com", urlEncoded],
    ] as const) {
      const { status: answered, body: answer } = await asked(method, path, sent(body), type);
      expect([path, answered, answer.error?.message]).toEqual([
        path,
        status,
        'The body is a form. Send its fields as one JSON object, such as {"name":"Ada"}.',
      ]);
    }
    // `curl -d` sends JSON under that type. What is neither is unreadable, as always.
    for (const body of ['{"firstName":"Ada"}', "no form", ""])
      expect((await asked("PATCH", `/contacts/${person.id}`, sent(body), urlEncoded)).status).toBe(200);
  });

  test("may hold the character that stands for a letter that could not be read", async () => {
    const { status, body } = await post("/lists", sent('{"name":"\uFFFD"}'));
    expect([status, body.data.name]).toEqual([201, "\uFFFD"]);
  });

  test("is refused beyond 4 MiB", async () => {
    const name = "x".repeat(4 * 1024 * 1024 + 1);
    const { status, body } = await post("/lists", way === "whole" ? name : new Blob([name]).stream());
    expect([status, body.error.code]).toEqual([413, "PAYLOAD_TOO_LARGE"]);
  });
});
