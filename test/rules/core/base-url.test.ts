import { expect, test } from "bun:test";
import { parseBaseUrl, rootOf } from "#core/addresses/base-url.ts";
import { unwrap } from "#core/errors/errors.ts";

test.each([
  ["https://mail.example.org", ""],
  ["https://mail.example.org/", ""],
  ["http://mail.example.org:8090/news//", "/news"],
  ["https://example.org/a/b", "/a/b"],
])("the pages of %s stand behind the path %j", (text, root) => {
  const baseUrl = unwrap(parseBaseUrl(text));
  expect([rootOf(baseUrl), rootOf(text)]).toEqual([root, root]);
  expect(new URL(`${rootOf(baseUrl)}/u/token`, baseUrl).href).toBe(`${baseUrl}/u/token`);
});
