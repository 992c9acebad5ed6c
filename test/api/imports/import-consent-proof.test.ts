/** Imports keep the whole proof that somebody agreed: the time of a confirmation, and from where. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
import { errorsOf, fixture, imported } from "../../support/people/imports.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const proofs = async (where: TestApi): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await where.call("GET", "/consents?limit=100")).body.data.map(
      ({ email, at, clientAddress }: Record<string, string>) => [email, `${at} ${clientAddress}`],
    ),
  );

test("Mailchimp's file: when and from where people confirmed, or else signed up", async () => {
  const inOwn = await inNewWorkspace(api);
  await imported(inOwn, fixture("mailchimp-subscribed.csv"), { status: "SUBSCRIBED" });
  expect(await proofs(inOwn)).toEqual({
    "ada@mailchimp.example": "2020-03-14T09:14:00.000Z 192.0.2.1",
    "grace@mailchimp.example": "2021-05-01T10:00:00.000Z 192.0.2.2",
  });
  const file =
    "Email Address,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP\neve@mailchimp.example,2020-03-14 09:12:31,2001:db8::1,,\n";
  const another = await inNewWorkspace(api);
  await imported(another, file, { status: "SUBSCRIBED" });
  expect(await proofs(another)).toEqual({ "eve@mailchimp.example": "2020-03-14T09:12:31.000Z 2001:db8::1" });
});

test("a mapping names them, and an address that is none is left out with a message", async () => {
  const inOwn = await inNewWorkspace(api);
  const file = "email,a,b,c,d\nada@example.com,2020-01-01,192.0.2.1,2020-01-02,here\n";
  const mapping = { a: "consentAt", b: "consentIp", c: "confirmedAt", d: "confirmedIp" };
  const { id, created } = await imported(inOwn, file, { mapping, status: "SUBSCRIBED" });
  expect([created, await proofs(inOwn)]).toEqual([1, { "ada@example.com": "2020-01-02T00:00:00.000Z null" }]);
  expect(await errorsOf(inOwn, id)).toEqual([
    [2, 'imported without "here", from where they agreed: it is no IP address'],
  ]);
});

test.each([
  ["2024-03-14 09:12:31 PM", "2024-03-14T21:12:31.000Z"],
  ["2024-03-14 09:12:31 am", "2024-03-14T09:12:31.000Z"],
  ["2024-03-14 12:05 AM", "2024-03-14T00:05:00.000Z"],
  ["2024-03-14 12:05PM", "2024-03-14T12:05:00.000Z"],
  ["2024-03-14 09:12:31 UTC", "2024-03-14T09:12:31.000Z"],
  ["2024-03-14 09:12:31 -0500 EST", "2024-03-14T14:12:31.000Z"],
  ["2024-03-14 09:12:31.123456+00", "2024-03-14T09:12:31.123Z"],
  ["2024-03-14 09:12:31-05", "2024-03-14T14:12:31.000Z"],
  ["2024-03-14 09:12:31+25", null],
  ["2024-03-14 13:12:31 PM", null],
  ["2024-03-14 00:12 AM", null],
  ["2024-03-14 09:12:31 EST", null],
  // CleverReach, and spreadsheets from Lisbon to Warsaw.
  ["14.03.2024 09:12", "2024-03-14T09:12:00.000Z"],
  ["3. 4. 2024", "2024-04-03T00:00:00.000Z"],
  ["2024/03/14 09:12", "2024-03-14T09:12:00.000Z"],
  ["31.02.2024", null],
  ["03/04/2024", null],
])("the time of consent %s is logged as %s", async (written, at) => {
  const inOwn = await inNewWorkspace(api);
  const file = `email,consentAt\nada@example.com,${written}\n`;
  const { failed } = await imported(inOwn, file, { status: "SUBSCRIBED" });
  expect([failed, await proofs(inOwn)]).toEqual(
    at === null ? [1, {}] : [0, { "ada@example.com": `${at} null` }],
  );
});

test("a time of consent is read in the order of day and month that is said of its column", async () => {
  const file = "email,Joined\nada@example.com,03/04/2024 10:30\n";
  for (const [type, at] of [
    ["date-dmy", "2024-04-03T10:30:00.000Z"],
    ["date-mdy", "2024-03-04T10:30:00.000Z"],
  ]) {
    const inOwn = await inNewWorkspace(api);
    const mapping = { email: "email", Joined: "consentAt" };
    await imported(inOwn, file, { mapping, types: { Joined: type }, status: "SUBSCRIBED" });
    expect(await proofs(inOwn)).toEqual({ "ada@example.com": `${at} null` });
  }
});
