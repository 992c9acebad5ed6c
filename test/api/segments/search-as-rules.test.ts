import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { rulesWithSearch } from "../../../src/console/ui/screens/contacts/search-rules.ts";
import { person } from "../../support/people/people.ts";
import { inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";

/** Their addresses, as they are stored, and their last names. */
const PEOPLE: Readonly<Record<string, string>> = {
  "anna@example.com": "Müller",
  "info@xn--mller-kva.de": "Info",
  "weiss@example.com": "Snow",
  "gauss@xn--wei-7ka.de": "Carl",
  "anna@xn--bcher-kva.example": "Book",
  "b@xn--tda.de": "Short",
  "ada@example.com": "Lovelace",
};

const SEARCHES: Readonly<Record<string, readonly string[]>> = {
  müller: ["anna@example.com"],
  weiß: ["weiss@example.com"],
  "weiß@": ["weiss@example.com"],
  ß: ["weiss@example.com", "gauss@xn--wei-7ka.de"],
  bücher: [],
  "@bücher.example": ["anna@xn--bcher-kva.example"],
  "@BÜCHER": ["anna@xn--bcher-kva.example"],
  "anna@bücher.example": ["anna@xn--bcher-kva.example"],
  "Anna@xn--bcher-kva.example": ["anna@xn--bcher-kva.example"],
  "@weiß.de": ["gauss@xn--wei-7ka.de"],
  "ü@": [],
  "b@ü.de": ["b@xn--tda.de"],
  "a@b@ü.de": [],
  "@ü%": [],
  "@": Object.keys(PEOPLE),
};

let api: TestApi;

beforeAll(async () => {
  api = await inNewWorkspace(await startApi());
  for (const [email, lastName] of Object.entries(PEOPLE)) await person(api, email, { lastName });
});
afterAll(() => api.stop());

const emailsOf = ({ status, body }: Awaited<ReturnType<TestApi["call"]>>): string[] => {
  expect([status, body.pagination.total]).toEqual([200, body.data.length]);
  return body.data.map(({ email }: { email: string }) => email).toSorted();
};

describe("a search, and the rules that the console makes of it, find the same people", () => {
  for (const [q, expected] of Object.entries(SEARCHES))
    test(JSON.stringify(q), async () => {
      const emails = [...expected].toSorted();
      expect(emailsOf(await api.call("GET", `/contacts?q=${encodeURIComponent(q)}`))).toEqual(emails);
      const rules = rulesWithSearch(null, q);
      expect(emailsOf(await api.call("POST", "/contacts/search", { rules }))).toEqual(emails);
    });
});

test("members of lists and segments, and suppressions, are searched in the same way", async () => {
  const id = (await api.call("GET", "/contacts?q=anna@xn--bcher-kva.example")).body.data[0].id;
  const list = (await api.call("POST", "/lists", { name: "Books" })).body.data.id;
  await api.call("POST", `/lists/${list}/contacts`, { contactId: id });
  const rules = { field: "email", op: "exists" };
  const segment = (await api.call("POST", "/segments", { name: "All", rules })).body.data.id;
  await api.call("POST", "/suppressions", { email: "anna@bücher.example" });
  for (const path of [`/lists/${list}/contacts`, `/segments/${segment}/contacts`, "/suppressions"]) {
    const found = await api.call("GET", `${path}?q=${encodeURIComponent("Anna@Bücher.example")}`);
    expect(emailsOf(found)).toEqual(["anna@xn--bcher-kva.example"]);
  }
});
