import { expect, test } from "bun:test";
import { checkScope, KEY_SCOPES, parseScope } from "#keys/scope.ts";

const may = (method: string, path: string) =>
  KEY_SCOPES.filter((scope) => checkScope(scope, method, path) === null);

test("`read` asks with GET and HEAD alone, `send` with POST at three paths alone, `full` everything", () => {
  for (const path of ["/contacts", "/keys", "/settings", "/nothing"]) {
    expect([path, may("GET", path), may("HEAD", path)]).toEqual([path, ["full", "read"], ["full", "read"]]);
    for (const method of ["POST", "PATCH", "DELETE", "PUT", "OPTIONS"])
      expect([method, path, may(method, path)]).toEqual([method, path, ["full"]]);
  }
  for (const path of ["/send", "/events", "/events/bulk"]) {
    expect([path, may("POST", path)]).toEqual([path, ["full", "send"]]);
    expect([path, may("DELETE", path)]).toEqual([path, ["full"]]);
    expect([path, may("GET", path)]).toEqual([path, ["full", "read"]]);
  }
});

test("what only looks like a path of sending is none", () => {
  for (const path of ["/send/", "/SEND", "/events/bulk/x", "/contacts/send", "send", "", "/send?x", "//send"])
    expect([path, may("POST", path)]).toEqual([path, ["full"]]);
});

test("a refusal says what the key may ask", () => {
  expect(checkScope("read", "POST", "/contacts")).toEqual({
    code: "FORBIDDEN",
    message: "This API key has the scope `read`: it may make only GET requests. Use another key.",
  });
  expect(checkScope("send", "GET", "/contacts")!.message).toContain("/send, /events, /events/bulk");
});

test("a scope is one of three words, `full` where none is given", () => {
  expect(parseScope(undefined)).toEqual({ ok: true, value: "full" });
  for (const scope of KEY_SCOPES) expect(parseScope(scope)).toEqual({ ok: true, value: scope });
  for (const text of ["", "Full", "admin", "read,send", " read"])
    expect([text, parseScope(text)]).toMatchObject([
      text,
      { ok: false, refusal: { code: "VALIDATION_ERROR" } },
    ]);
});
