/** docs/contract.md "Many at once": who is suppressed, out as a file and in again somewhere else. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { inNewWorkspace, startApi, type TestApi } from "../../support/server/api.ts";
import { errorsOf, imported, peopleOf } from "../../support/people/imports.ts";
import { person } from "../../support/people/people.ts";

const REASONS = ["COMPLAINT", "MANUAL", "HARD_BOUNCE", "UNSUBSCRIBED"] as const;
const addressOf = (reason: string): string => `${reason.toLowerCase()}@example.com`;

let here: TestApi;
let there: TestApi;
const ids: string[] = [];
beforeAll(async () => {
  here = await startApi();
  there = await startApi();
  ids.push((await person(here, "ada@example.com", { attributes: { city: "Bern" } })).id);
  for (const reason of REASONS) {
    ids.push((await person(here, addressOf(reason))).id);
    await here.call("POST", "/suppressions", { email: addressOf(reason), reason });
  }
});
afterAll(async () => {
  await here.stop();
  await there.stop();
});

const exported = async (query: string, body?: object): Promise<string> => {
  const answer = await fetch(`${here.url}/api/v1/exports/contacts${query}`, {
    method: body === undefined ? "GET" : "POST",
    headers: { authorization: `Bearer ${here.key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(answer.status).toBe(200);
  return await answer.text();
};
const reasonsIn = async (api: TestApi): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await api.call("GET", "/suppressions?limit=100")).body.data.map((one: any) => [one.email, one.reason]),
  );

const ROW_ENDS = [...REASONS.toReversed().map((reason) => `,"","${reason}"`), ',"Bern",""'];

test("include=suppressed adds the reason as the last column, of all and of those who were chosen", async () => {
  const rules = { field: "status", op: "equals", value: "SUBSCRIBED" };
  const asked = await Promise.all([
    exported("?include=suppressed"),
    exported("?include=suppressed", { contactIds: ids.toReversed() }),
    exported("?include=suppressed", { rules }),
  ]);
  for (const text of asked) {
    const [header, ...rows] = text.split("\r\n").slice(0, -1);
    expect(header).toEndWith("createdAt,attributes.city,suppressed");
    expect(rows.map((row, i) => row.endsWith(ROW_ENDS[i] ?? "?"))).toEqual(ROW_ENDS.map(() => true));
  }
  expect(await exported("")).not.toContain("suppressed");
});

test("lines of JSON have the member where somebody is suppressed", async () => {
  const lines = (await exported("?format=jsonl&include=suppressed")).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).suppressed)).toEqual([...REASONS.toReversed(), undefined]);
});

test("whoever is suppressed in the file is out in another workspace, with the same reason", async () => {
  const done = await imported(there, await exported("?include=suppressed"));
  expect([done.created, done.failed]).toEqual([5, 0]);
  const people = await peopleOf(there);
  expect(people["ada@example.com"].status).toBe("SUBSCRIBED");
  expect(REASONS.map((reason) => people[addressOf(reason)].status)).toEqual([
    "UNSUBSCRIBED",
    "UNSUBSCRIBED",
    "BOUNCED",
    "UNSUBSCRIBED",
  ]);
  expect(await reasonsIn(there)).toEqual(
    Object.fromEntries(REASONS.map((reason) => [addressOf(reason), reason])),
  );
});

const HEADER = "email,firstName,lastName,tags,status,createdAt,suppressed\n";

test("the stronger reason stays, also of somebody who is kept", async () => {
  await person(there, "kept@example.com");
  await there.call("POST", "/suppressions", { email: "weak@example.com", reason: "UNSUBSCRIBED" });
  await there.call("POST", "/suppressions", { email: "strong@example.com", reason: "COMPLAINT" });
  const rows = ["kept", "weak", "strong"].map((name) => `${name}@example.com,,,,SUBSCRIBED,,MANUAL\n`);
  await imported(there, HEADER + rows.join(""), { existing: "keep" });
  expect((await peopleOf(there))["kept@example.com"].status).toBe("UNSUBSCRIBED");
  expect(await reasonsIn(there)).toMatchObject({
    "kept@example.com": "MANUAL",
    "weak@example.com": "MANUAL",
    "strong@example.com": "COMPLAINT",
  });
});

test("a word that is no reason fails its row, so nobody is subscribed by a misspelt one", async () => {
  const done = await imported(there, `${HEADER}odd@example.com,,,,SUBSCRIBED,,COMPLANT\n`);
  expect(done.failed).toBe(1);
  expect(await errorsOf(there, done.id)).toEqual([
    [2, 'the status "COMPLANT" is none that postrider writes'],
  ]);
});

test("the reason stays when a person takes columns out of the file, or renames some", async () => {
  const rows = REASONS.map((reason) => `${addressOf(reason)},SUBSCRIBED,${reason}\n`).join("");
  for (const head of ["email,status,suppressed", "E-Mail,Status,Suppressed"]) {
    const own = await inNewWorkspace(there);
    const done = await imported(own, `${head}\n${rows}spam@example.com,SUBSCRIBED,yes\n`);
    expect([done.created, done.failed]).toEqual([5, 0]);
    expect(await reasonsIn(own)).toEqual({
      ...Object.fromEntries(REASONS.map((reason) => [addressOf(reason), reason])),
      "spam@example.com": "UNSUBSCRIBED",
    });
  }
});
