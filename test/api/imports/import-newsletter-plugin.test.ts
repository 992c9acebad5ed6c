/** docs/contract.md "Many at once": what the plugin "Newsletter" for WordPress exports. */
import { expect, test } from "bun:test";
import { inNewWorkspace, type TestApi } from "../../support/server/api.ts";
import { errorsOf, fixture, imported, peopleOf, upload } from "../../support/people/imports.ts";
import { suppressions } from "../../support/people/people.ts";
import { api, hasOwnWorkspaces, inOwn } from "../../support/people/own-workspaces.ts";

hasOwnWorkspaces();

const FILE = new TextDecoder("utf-8", { ignoreBOM: true }).decode(fixture("newsletter-plugin.csv"));
const STANDING = {
  in: "SUBSCRIBED",
  wait: "PENDING",
  out: "UNSUBSCRIBED",
  dead: "BOUNCED",
  spam: "UNSUBSCRIBED",
};

async function statusesOf(own: TestApi) {
  const all = Object.values(await peopleOf(own));
  return Object.fromEntries(all.map(({ email, status }) => [email.replace(/@.*/, ""), status]));
}

/** Older versions end every line with a sign between cells, but not the first. */
test.each([
  ["newer", FILE],
  ["older", FILE.replace('"Last Activity";', '"Last Activity"')],
])("of its %s versions each letter says how somebody stands", async (_, file) => {
  for (const options of [{}, { status: "SUBSCRIBED", unknownColumns: "attributes" }]) {
    const another = await inNewWorkspace(api);
    const done = await imported(another, file, options);
    expect(done).toMatchObject({ rows: 6, created: 5, failed: 1 });
    expect(await errorsOf(another, done.id)).toEqual([[7, expect.stringContaining('"T" is none that')]]);
    expect(await statusesOf(another)).toEqual(STANDING);
    expect(await suppressions(another, another.workspaceId)).toEqual({
      "out@newsletter.example": "UNSUBSCRIBED",
      "dead@newsletter.example": "HARD_BOUNCE",
      "spam@newsletter.example": "COMPLAINT",
    });
    const ada = (await peopleOf(another))["in@newsletter.example"];
    expect(ada).toMatchObject({ firstName: "Ada", lastName: "Lovelace" });
  }
});

test("who has not confirmed there has agreed to nothing here, and everybody follows the status of the options", async () => {
  const mapping = { Email: "email", Date: "consentAt" };
  await imported(inOwn, FILE, { status: "SUBSCRIBED", mapping });
  expect(await statusesOf(inOwn)).toEqual(STANDING);
  const log = await Array.fromAsync(api.services.contacts.consentLog(inOwn.workspaceId));
  const given = log.filter(({ action }) => action === "GIVEN").map(({ email }) => email);
  expect(given).not.toContain("wait@newsletter.example");
  expect(given).toContain("in@newsletter.example");
  const another = await inNewWorkspace(api);
  await imported(another, FILE, { status: "PENDING" });
  expect(await statusesOf(another)).toEqual({ ...STANDING, in: "PENDING" });
});

test("what the console sends after its preview is read in the same way", async () => {
  const { body } = await upload(inOwn, "/imports/preview", FILE);
  expect(body.data.source).toBeNull();
  const mapping = Object.fromEntries(
    body.data.columns.map((column: any) => [column.header, column.suggested]),
  );
  expect(mapping).toMatchObject({ Email: "email", Name: "firstName", Surname: "lastName", Status: null });
  await imported(inOwn, FILE, { status: "SUBSCRIBED", mapping });
  expect(await statusesOf(inOwn)).toEqual(STANDING);
});

test("another file with a letter in its column Status is no file of the plugin", async () => {
  const file = "Email,Name,Status\nin@x.example,Ada,S\nout@x.example,Bob,C\n";
  expect(await imported(inOwn, file, { status: "SUBSCRIBED" })).toMatchObject({ created: 0, failed: 2 });
});
