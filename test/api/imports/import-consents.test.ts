/** What a file says of consent is written down once, however often the file is imported. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
import { imported } from "../../support/people/imports.ts";

let api: TestApi;
beforeAll(async () => {
  api = await startApi();
});
afterAll(() => api.stop());

const GIVEN = "2026-03-14T09:12:31.000Z";
const FILE = `email,consentAt\nada@example.com,${GIVEN}\ngrace@example.com,2026-03-15\n`;

const consentsOf = async (where: TestApi, email: string): Promise<string[]> =>
  (await where.call("GET", `/consents?email=${email}`)).body.data.map(
    ({ action, source, at }: Record<string, string>) => `${action} ${source} ${at}`,
  );

test("a file that is imported again adds nothing to the consent log", async () => {
  const inOwn = await inNewWorkspace(api);
  for (let n = 0; n < 3; n++) await imported(inOwn, FILE, { status: "SUBSCRIBED" });
  expect(await consentsOf(inOwn, "ada@example.com")).toEqual([`GIVEN import ${GIVEN}`]);
  expect(await consentsOf(inOwn, "grace@example.com")).toEqual(["GIVEN import 2026-03-15T00:00:00.000Z"]);
});

test("nor does it for who has opted out since, and is skipped", async () => {
  const inOwn = await inNewWorkspace(api);
  await imported(inOwn, FILE, { status: "SUBSCRIBED" });
  await imported(inOwn, "email,status\nada@example.com,UNSUBSCRIBED\n");
  expect(await imported(inOwn, FILE, { status: "SUBSCRIBED" })).toMatchObject({ skipped: 1, updated: 1 });
  expect(await consentsOf(inOwn, "ada@example.com")).toEqual([`GIVEN import ${GIVEN}`]);
});

test("an address that stands twice in it has one entry for each time", async () => {
  const inOwn = await inNewWorkspace(api);
  const times = [GIVEN, "2026-03-15", GIVEN].map((at) => `ada@example.com,${at}\n`).join("");
  await imported(inOwn, `email,consentAt\n${times}`, { status: "SUBSCRIBED" });
  expect(await consentsOf(inOwn, "ada@example.com")).toEqual([
    "GIVEN import 2026-03-15T00:00:00.000Z",
    `GIVEN import ${GIVEN}`,
  ]);
});

test("a contact that was deleted and comes with the file again has an entry of its own, in every workspace", async () => {
  const [inOwn, inOther] = [await inNewWorkspace(api), await inNewWorkspace(api)];
  for (const where of [inOwn, inOther]) await imported(where, FILE, { status: "SUBSCRIBED" });
  const idOf = async (): Promise<string> =>
    (await inOwn.call("GET", "/contacts?q=ada&limit=1")).body.data[0].id;
  await inOwn.call("DELETE", `/contacts/${await idOf()}`);
  await imported(inOwn, FILE, { status: "SUBSCRIBED" });
  const { data } = (await inOwn.call("GET", `/consents?contactId=${await idOf()}`)).body;
  expect(data).toMatchObject([{ action: "GIVEN", source: "import", at: GIVEN }]);
  expect(await consentsOf(inOther, "ada@example.com")).toEqual([`GIVEN import ${GIVEN}`]);
});
