import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { startApi, type TestApi } from "../../support/server/api.ts";
import { COLUMNS, GRIDS, rowsOf, type Grid } from "../../support/people/consent-grid.ts";
import { consentLog, derivedTablesAgree, listOf, person, suppressions } from "../../support/people/people.ts";

let api: TestApi;
let listId: string;
beforeAll(async () => {
  api = await startApi();
  listId = await listOf(api, "Mathematicians");
});
afterAll(() => api.stop());

const STATUS: Record<string, string> = { P: "PENDING", S: "SUBSCRIBED", U: "UNSUBSCRIBED", B: "BOUNCED" };
const ONLY_SUPPRESSED = ["HARD_BOUNCE", "COMPLAINT", "MANUAL", "OPTED_OUT"];

let people = 0;

/**
 * Brings a new person into the state of a row, on a list if that state allows it. Returns the contact's id,
 * or null for a row without a contact.
 */
async function stand(email: string, standing: string): Promise<string | null> {
  if (standing === "NEW") return null;
  if (ONLY_SUPPRESSED.includes(standing)) {
    const reason = standing === "OPTED_OUT" ? "UNSUBSCRIBED" : (standing as "MANUAL");
    await api.services.suppressions.add(api.workspaceId, email, reason);
    return null;
  }
  const { id } = await person(api, email, { status: standing, firstName: "Ada", tags: ["kept"] });
  await api.call("POST", `/lists/${listId}/contacts`, { contactId: id });
  return id;
}

const suppressedBefore: Record<string, string> = {
  UNSUBSCRIBED: "UNSUBSCRIBED",
  BOUNCED: "HARD_BOUNCE",
  OPTED_OUT: "UNSUBSCRIBED",
};

function suppressedAfter(standing: string, cell: string): string | undefined {
  const before = suppressedBefore[standing] ?? (ONLY_SUPPRESSED.includes(standing) ? standing : undefined);
  if (!cell.includes("x")) return before;
  return before ?? (cell.startsWith("B") ? "HARD_BOUNCE" : "UNSUBSCRIBED");
}

function loggedIn(cell: string): string[] {
  if (cell.includes("g")) return ["GIVEN"];
  return cell.includes("w") ? ["WITHDRAWN"] : [];
}

async function checkCell(grid: Grid, standing: string, column: string, cell: string): Promise<void> {
  const email = `ada${++people}@example.com`;
  const id = await stand(email, standing);
  const wasOnList = standing === "PENDING" || standing === "SUBSCRIBED";
  const body = {
    ...(grid.method === "POST" ? { email, tags: ["kept"] } : {}),
    ...(column === "none" ? {} : { status: column }),
    ...(grid.consent === null ? {} : { consent: grid.consent }),
  };
  const logBefore = await consentLog(api);
  const path = grid.method === "POST" ? "/contacts" : `/contacts/${id}`;
  const answer = await api.call(grid.method, path, body);

  const refused = cell === "!";
  const createdNow = grid.method === "POST" && id === null;
  expect(answer.status).toBe(refused ? 422 : createdNow ? 201 : 200);
  const contactId = id ?? answer.body.data.id;
  const stored = (await api.call("GET", `/contacts/${contactId}`)).body.data;
  expect(stored).toMatchObject({ email, status: refused ? standing : STATUS[cell[0]!], tags: ["kept"] });
  if (!refused) expect(answer.body.data).toEqual(stored);
  if (id !== null) expect(stored.firstName).toBe("Ada");
  expect((await suppressions(api))[email]).toBe(suppressedAfter(standing, cell) as never);
  const logged = (await consentLog(api)).slice(logBefore.length);
  expect(logged).toEqual(loggedIn(cell).map((action) => `${action} ${email} api`));
  const memberships = (await api.call("GET", `/contacts/${contactId}/lists`)).body.data;
  expect(memberships.map((each: any) => each.id)).toEqual(wasOnList && !cell.includes("x") ? [listId] : []);
}

for (const grid of GRIDS) {
  describe(`${grid.method} with consent ${grid.consent ?? "not sent"} follows the contract's status table`, () => {
    for (const { standing, cells } of rowsOf(grid)) {
      test(`from ${standing}`, async () => {
        for (const [i, column] of COLUMNS.entries()) await checkCell(grid, standing, column, cells[i]!);
      });
    }
  });
}

test("one person's requests touch nobody else, and the derived tables agree with their rows", async () => {
  const grace = await person(api, "grace@example.com");
  await person(api, "linus@example.com", { consent: "declined" });
  expect((await api.call("GET", `/contacts/${grace.id}`)).body.data).toEqual(grace);
  expect(derivedTablesAgree(api)).toBe(true);
});
