/** docs/contract.md "Contact status": an event makes a PENDING contact of an address that opted out before. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { imported } from "../../support/people/imports.ts";
import {
  consentLog,
  contactOf,
  derivedTablesAgree,
  listOf,
  person,
  suppressions,
} from "../../support/people/people.ts";
import { startApi, type TestApi } from "../../support/server/api.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

let people = 0;

/** An address that left, whose contact was deleted, and that is a PENDING contact since an event named it. */
async function leftAndSeen(left: "UNSUBSCRIBED" | "BOUNCED"): Promise<{ email: string; id: string }> {
  const email = `seen${++people}@example.com`;
  const { id } = await person(api, email);
  await api.call("PATCH", `/contacts/${id}`, { status: left });
  await api.call("DELETE", `/contacts/${id}`);
  await api.call("POST", "/events", { name: "page viewed", email });
  const seen = await contactOf(api, email);
  expect(seen.status).toBe("PENDING");
  return { email, id: seen.id };
}

const statusOf = async (id: string): Promise<string> =>
  (await api.call("GET", `/contacts/${id}`)).body.data.status;

const RAISERS: Record<string, (email: string) => Promise<unknown>> = {
  "POST /contacts": (email) => api.call("POST", "/contacts", { email }),
  "POST /contacts with a status": (email) => api.call("POST", "/contacts", { email, status: "SUBSCRIBED" }),
  "POST /contacts/bulk, twice in it,": (email) =>
    api.call("POST", "/contacts/bulk", { contacts: [{ email }, { email }] }),
  "an import": (email) => imported(api, `email,status\n${email},SUBSCRIBED\n`),
};

for (const left of ["UNSUBSCRIBED", "BOUNCED"] as const)
  for (const [name, raise] of Object.entries(RAISERS))
    test(`${name} does not bring back somebody ${left}, as without the event`, async () => {
      const { email, id } = await leftAndSeen(left);
      const before = await suppressions(api);
      await raise(email);
      expect(await statusOf(id)).toBe(left);
      expect(await suppressions(api)).toEqual(before);
    });

test("explicit consent brings back who opted out, logged and still suppressed; never who bounced", async () => {
  const [out, bounced] = [await leftAndSeen("UNSUBSCRIBED"), await leftAndSeen("BOUNCED")];
  const logged = (await consentLog(api)).length;
  for (const { email } of [out, bounced]) await person(api, email, { consent: "explicit" });
  expect([await statusOf(out.id), await statusOf(bounced.id)]).toEqual(["SUBSCRIBED", "BOUNCED"]);
  expect((await consentLog(api)).slice(logged)).toEqual([`GIVEN ${out.email} api`]);
  expect((await suppressions(api))[out.email]).toBe("UNSUBSCRIBED");
});

test("who is found to be out leaves every list, and the others of the request are written as they ask", async () => {
  const { email, id } = await leftAndSeen("UNSUBSCRIBED");
  const list = await listOf(api, "Readers", [id]);
  const contacts = [{ email: "other@example.com" }, { email }];
  const { results } = (await api.call("POST", "/contacts/bulk", { contacts, listId: list })).body.data;
  const members = (await api.call("GET", `/lists/${list}/contacts`)).body.data;
  expect(members.map((one: any) => [one.id, one.status])).toEqual([[results[0].id, "SUBSCRIBED"]]);
  expect(await statusOf(id)).toBe("UNSUBSCRIBED");
  expect(derivedTablesAgree(api)).toBe(true);
});
