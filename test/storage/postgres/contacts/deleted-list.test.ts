/** A list that is deleted while somebody else works with its campaigns. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { postgresPlace, rowsFrom } from "../../../support/server/services.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { makeCampaign, startSending, type SendingApi } from "../../../support/sending/sending.ts";
import { lacksPostgres } from "../../../support/storage/postgres.ts";

/** Transactions that stand still because of what others hold. */
const WAITING =
  "SELECT count(*)::int4 AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

describe.skipIf(await lacksPostgres())("a list that is being deleted", () => {
  let api: SendingApi;
  let beside: SQL;
  beforeAll(async () => {
    const place = await postgresPlace("deleted list");
    api = await startSending({}, { place });
    beside = new SQL({ url: place.url!, max: 2 });
  });
  afterAll(async () => {
    await beside.close();
    await api.stop();
  });

  const schedule = (campaign: string) =>
    api.call("POST", `/campaigns/${campaign}/schedule`, {
      scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
    });

  test("is deleted by one of several who ask at once", async () => {
    const listId = (await api.call("POST", "/lists", { name: "L" })).body.data.id as string;
    let asked: Promise<{ status: number }>[] = [];
    await beside.begin(async (tx) => {
      await tx.unsafe("SELECT FROM lists FOR UPDATE");
      asked = Array.from({ length: 3 }, () => api.call("DELETE", `/lists/${listId}`));
      await eventually(async () => {
        const [found] = await tx.unsafe(WAITING);
        return found.n >= 3;
      });
    });
    const statuses = (await Promise.all(asked)).map(({ status }) => status);
    expect(statuses.toSorted((a, b) => a - b)).toEqual([204, 404, 404]);
  });

  test("leaves no campaign SCHEDULED, also one that is scheduled meanwhile", async () => {
    const listId = (await api.call("POST", "/lists", { name: "L" })).body.data.id as string;
    const { id } = (await api.call("POST", "/contacts", { email: "ada@example.com" })).body.data;
    await api.call("POST", `/lists/${listId}/contacts`, { contactId: id });
    const [before, meanwhile] = [await makeCampaign(api, listId), await makeCampaign(api, listId)];
    expect((await schedule(before)).status).toBe(200);

    let deleting: Promise<{ status: number }> | undefined;
    await beside.begin(async (tx) => {
      // The deletion stands where it removes the members, as it does for long with a large list.
      await tx.unsafe("SELECT FROM list_members FOR UPDATE");
      deleting = api.call("DELETE", `/lists/${listId}`);
      await eventually(async () => {
        const [found] = await tx.unsafe(WAITING);
        return found.n >= 1;
      });
      // It is not held up: for everybody the list is gone, also for whoever deletes it once more.
      expect((await api.call("DELETE", `/lists/${listId}`)).status).toBe(404);
      expect((await schedule(meanwhile)).status).toBe(422);
    });
    expect((await deleting)?.status).toBe(204);
    for (const campaign of [before, meanwhile])
      expect((await api.call("GET", `/campaigns/${campaign}`)).body.data).toMatchObject({
        status: "DRAFT",
        listId: null,
        scheduledAt: null,
      });
    expect((await schedule(meanwhile)).status).toBe(422);
  });

  test.each([
    ["begins a send to it, and has the campaign", "SELECT FROM campaigns FOR NO KEY UPDATE", "FOR UPDATE"],
    ["leaves it, and has the membership", "SELECT FROM list_members FOR UPDATE", "FOR KEY SHARE"],
  ])("is not held against who %s first", async (_, first, then) => {
    const listId = (await api.call("POST", "/lists", { name: "O" })).body.data.id as string;
    const member = (await api.call("POST", "/contacts", { email: "ordered@example.com" })).body.data;
    await api.call("POST", `/lists/${listId}/contacts`, { contactId: member.id });
    await makeCampaign(api, listId);
    let deleting: Promise<{ status: number }> | undefined;
    await beside.begin(async (tx) => {
      await tx.unsafe(first);
      deleting = api.call("DELETE", `/lists/${listId}`);
      await eventually(async () => (await tx.unsafe(WAITING))[0].n >= 1);
      await tx.unsafe(`SELECT FROM lists WHERE id = '${listId}' ${then} NOWAIT`);
    });
    expect((await deleting)?.status).toBe(204);
  });

  test("holds no membership while it waits for who takes somebody off it, and has the list first", async () => {
    const listId = (await api.call("POST", "/lists", { name: "Q" })).body.data.id as string;
    const member = (await api.call("POST", "/contacts", { email: "taken@example.com" })).body.data;
    await api.call("POST", `/lists/${listId}/contacts`, { contactId: member.id });
    let deleting: Promise<{ status: number }> | undefined;
    await beside.begin(async (tx) => {
      const [{ seq }] = await tx.unsafe(`SELECT seq FROM lists WHERE id = '${listId}' FOR KEY SHARE`);
      deleting = api.call("DELETE", `/lists/${listId}`);
      await eventually(async () => (await tx.unsafe(WAITING))[0].n >= 1);
      await tx.unsafe(`SELECT FROM list_members WHERE list = ${seq} FOR UPDATE NOWAIT`);
    });
    expect((await deleting)?.status).toBe(204);
  });

  test("gets nobody by a form that is submitted meanwhile", async () => {
    const listId = (await api.call("POST", "/lists", { name: "R" })).body.data.id as string;
    const formId = (await api.call("POST", "/forms", { name: "F", listId })).body.data.id as string;
    const body = new URLSearchParams({ email: "joining@example.com" });
    let deleting: Promise<{ status: number }> | undefined;
    let submitting: Promise<{ status: number }> | undefined;
    let [isOver, joinsNone] = [false, false];
    await beside.begin(async (tx) => {
      await tx.unsafe("LOCK TABLE list_members IN SHARE MODE");
      await beside.begin(async (other) => {
        // The deletion has the list by now, and the sign-up waits for that.
        await other.unsafe(`SELECT FROM forms WHERE id = '${formId}' FOR NO KEY UPDATE`);
        deleting = api.call("DELETE", `/lists/${listId}`);
        await eventually(async () => (await tx.unsafe(WAITING))[0].n >= 1);
        submitting = fetch(`${api.url}/api/forms/${formId}/submit`, { method: "POST", body });
        void submitting.then(() => (isOver = true));
        await eventually(async () => (await tx.unsafe(WAITING))[0].n >= 2);
      });
      // Whoever writes memberships waits for their table.
      const atTable = `${WAITING} AND wait_event = 'relation'`;
      await eventually(async () => isOver || (await tx.unsafe(atTable))[0].n >= 2);
      joinsNone = isOver;
    });
    expect([(await deleting)?.status, (await submitting)?.status]).toEqual([204, 200]);
    expect(joinsNone).toBe(true);
  });

  test.each([
    ["a campaign", "", (listId: string) => ({ listId })],
    ["its options", "/options", (listId: string) => ({ excludeListIds: [listId] })],
  ])("is not held by who changes %s, and waits for the campaign", async (_, path, changeTo) => {
    const listId = (await api.call("POST", "/lists", { name: "P" })).body.data.id as string;
    const campaign = await makeCampaign(api, listId);
    let changing: Promise<{ status: number }> | undefined;
    await beside.begin(async (tx) => {
      await tx.unsafe("SELECT FROM campaigns FOR NO KEY UPDATE");
      changing = api.call("PATCH", `/campaigns/${campaign}${path}`, changeTo(listId));
      await eventually(async () => (await tx.unsafe(WAITING))[0].n >= 1);
      // As a deletion does, or who begins to send the campaign: they have the campaign by then.
      await tx.unsafe(`SELECT FROM lists WHERE id = '${listId}' FOR UPDATE NOWAIT`);
    });
    expect((await changing)?.status).toBe(200);
  });

  test("is not exchanged for all of the segment by a send or a schedule that waits for it", async () => {
    const listId = (await api.call("POST", "/lists", { name: "M" })).body.data.id as string;
    const member = (await api.call("POST", "/contacts", { email: "member@example.com" })).body.data;
    await api.call("POST", `/lists/${listId}/contacts`, { contactId: member.id });
    await api.call("POST", "/contacts", { email: "stranger@example.com" });
    const rules = { field: "email", op: "endsWith", value: "@example.com" };
    const segmentId = (await api.call("POST", "/segments", { name: "S", rules })).body.data.id as string;
    const [sent, scheduled] = [await makeCampaign(api, listId), await makeCampaign(api, listId)];
    for (const id of [sent, scheduled]) await api.call("PATCH", `/campaigns/${id}/options`, { segmentId });
    // The deletion stands at a form of the list, which goes with its row: by then all its campaigns are locked.
    await api.call("POST", "/forms", { name: "F", listId });
    const standing = (tx: SQL, n: number) =>
      eventually(async () => {
        const [found] = await tx.unsafe(WAITING);
        return found.n >= n;
      });

    let deleting: Promise<{ status: number }> | undefined;
    let waiting: Promise<{ status: number }>[] = [];
    await beside.begin(async (tx) => {
      await tx.unsafe("SELECT FROM forms FOR UPDATE");
      deleting = api.call("DELETE", `/lists/${listId}`);
      await standing(tx, 1);
      waiting = [api.call("POST", `/campaigns/${sent}/send`, {}), schedule(scheduled)];
      await standing(tx, 3);
    });
    expect((await deleting)?.status).toBe(204);
    expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([422, 422]);
    expect(rowsFrom(api, "SELECT seq FROM deliveries")).toEqual([]);
  });
});
