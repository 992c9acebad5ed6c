/** A list with very many members that is being removed: to everybody it is gone before its members are. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { systemClock } from "#core/time/clock.ts";
import { openPostgres } from "#storage/postgres/engine/open.ts";
import { removeHiddenLists } from "#storage/postgres/lists/list-removal.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { lacksPostgres } from "../../../support/storage/postgres.ts";
import { seededRandom } from "../../../support/common/dice.ts";
import { eventually } from "../../../support/common/eventually.ts";
import {
  makeCampaign,
  makeLongList,
  send,
  startSending,
  type SendingApi,
} from "../../../support/sending/sending.ts";
import { postgresPlace, rowsFrom } from "../../../support/server/services.ts";

const WAITING =
  "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
/** More than one transaction removes. */
const PEOPLE = 2_500;

describe.skipIf(await lacksPostgres())("a list whose members are being removed", () => {
  let api: SendingApi;
  let beside: SQL;
  let everybody = "";
  let place: Awaited<ReturnType<typeof postgresPlace>>;
  beforeAll(async () => {
    place = await postgresPlace("hidden lists");
    api = await startSending({}, { place });
    beside = new SQL({ url: place.url!, max: 1 });
    everybody = await makeLongList(api, PEOPLE);
  });
  afterAll(async () => {
    await beside.close();
    await api.stop();
  });

  async function longList(): Promise<string> {
    const { id } = (await api.call("POST", "/lists", { name: "Long" })).body.data;
    await beside.unsafe(
      `INSERT INTO list_members SELECT l.seq, c.seq, c.status, 0 FROM contacts AS c, lists AS l WHERE l.id = '${id}'`,
    );
    return id;
  }

  /** Runs `work` while a removal of the list has removed a part and stands at a member whom somebody else holds. */
  async function whileRemoving(listId: string, work: (tx: SQL) => Promise<unknown>) {
    let removing: Promise<{ status: number }> | undefined;
    await beside.begin(async (tx) => {
      await tx.unsafe(
        `SELECT FROM list_members WHERE list = (SELECT seq FROM lists WHERE id = '${listId}')
         ORDER BY contact DESC LIMIT 1 FOR UPDATE`,
      );
      removing = api.call("DELETE", `/lists/${listId}`);
      await eventually(async () => (await tx.unsafe(WAITING)).length > 0);
      await work(tx);
    });
    return await removing!;
  }

  const memberships = () => rowsFrom<{ n: number }>(api, "SELECT count(*) AS n FROM list_members")[0]!.n;
  const shown = async (id: string) => (await api.call("GET", `/campaigns/${id}`)).body.data;
  const listsShown = async () => (await api.call("GET", "/lists")).body;

  test("is gone for everybody: no campaign is sent to a part of it", async () => {
    const listId = await longList();
    const formId = (await api.call("POST", "/forms", { name: "F", listId })).body.data.id;
    const [draft, scheduled] = [await makeCampaign(api, listId), await makeCampaign(api, listId)];
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    expect((await api.call("POST", `/campaigns/${scheduled}/schedule`, { scheduledAt })).status).toBe(200);
    const before = memberships();
    const removed = await whileRemoving(listId, async () => {
      expect(memberships()).toBeLessThan(before);
      expect((await send(api, draft)).status).toBe(422);
      for (const id of [draft, scheduled])
        expect(await shown(id)).toMatchObject({ status: "DRAFT", listId: null, scheduledAt: null });
      expect((await api.call("GET", `/lists/${listId}`)).status).toBe(404);
      const { data, pagination } = await listsShown();
      expect([data.map(({ id }: { id: string }) => id), pagination.total]).toEqual([[everybody], 1]);
      const refused = [
        await api.call("PATCH", `/campaigns/${draft}`, { listId }),
        await api.call("POST", `/lists/${listId}/contacts`, { contactId: "ct_1" }),
        await api.call("PATCH", `/lists/${listId}`, { name: "N" }),
        await api.call("PATCH", `/lists/${listId}/options`, { public: true }),
      ];
      for (const { status } of refused) expect(status).toBeOneOf([404, 422]);
      expect((await api.call("GET", `/forms/${formId}`)).body.data.listId).toBeNull();
      // Its membership is not removed yet.
      const { body } = await api.call("GET", `/contacts/ct_${PEOPLE}/lists`);
      expect(body.data.map(({ id }: { id: string }) => id)).toEqual([everybody]);
    });
    expect(removed.status).toBe(204);
    expect(memberships()).toBe(PEOPLE);
    expect((await api.call("DELETE", `/lists/${listId}`)).status).toBe(404);
    expect(rowsFrom(api, "SELECT seq FROM deliveries")).toEqual([]);
  });

  test("ends a plan under way as changed, and nobody is mailed", async () => {
    const listId = await longList();
    const campaign = await makeCampaign(api, listId);
    const { workspaces } = api.services;
    const settings = workspaces.settings.bind(workspaces);
    let sent: { status: number; body: any } | undefined;
    let [isPlanned, isRemoving] = [() => {}, () => {}];
    const planned = new Promise<void>((resolve) => (isPlanned = resolve));
    const removing = new Promise<void>((resolve) => (isRemoving = resolve));
    // The settings are read when everybody is planned.
    Object.assign(workspaces, {
      async settings(workspaceId: string): Promise<Settings> {
        if (rowsFrom(api, "SELECT seq FROM mailings").length > 0) {
          isPlanned();
          await removing;
        }
        return await settings(workspaceId);
      },
    });
    const sending = send(api, campaign);
    await planned;
    const removed = await whileRemoving(listId, async () => {
      isRemoving();
      sent = await sending;
    });
    Object.assign(workspaces, { settings });
    expect([removed.status, sent?.status]).toEqual([204, 422]);
    expect(sent?.body.error.message).toContain("changed while its send was prepared");
    expect(await shown(campaign)).toMatchObject({ status: "DRAFT", listId: null });
    expect(api.relay.transactions).toBe(0);
  });

  /** Requests that name a list. */
  const naming = (id: string): readonly [method: string, path: string, body?: unknown][] => {
    const path = `/lists/${encodeURIComponent(id)}`;
    const rules = { field: "list", op: "equals", value: id };
    return [
      ["GET", path],
      ["PATCH", path, { name: "N" }],
      ["GET", `${path}/options`],
      ["PATCH", `${path}/options`, { public: true, publicName: "P" }],
      ["GET", `${path}/contacts`],
      ["POST", `${path}/contacts`, { contactId: "ct_1" }],
      ["DELETE", `${path}/contacts/ct_1`],
      ["POST", "/campaigns", { name: "C", subject: "S", body: "<p>B</p>", listId: id }],
      ["POST", "/forms", { name: "F", listId: id }],
      ["POST", "/contacts/bulk", { contacts: [{ email: "new@example.com" }], listId: id }],
      ["POST", "/contacts/actions", { contactIds: ["ct_1"], action: "addToList", listId: id }],
      ["POST", "/contacts/search", { rules }],
      ["POST", "/segments/preview", { rules }],
      ["POST", "/segments", { name: "S", rules }],
      ["POST", "/exports/contacts", { rules }],
      ["GET", `/exports/contacts?listId=${encodeURIComponent(id)}`],
    ];
  };
  async function answersTo(id: string): Promise<unknown[]> {
    const answers: unknown[] = [];
    for (const [method, path, body] of naming(id)) {
      const { status, body: answer } = await api.call(method, path, body);
      const { requestId: _, ...told } = answer?.error ?? { text: answer };
      const words = JSON.stringify(told).replaceAll(id, "ID").replaceAll(encodeURIComponent(id), "ID");
      answers.push([method, path.replaceAll(encodeURIComponent(id), "ID"), status, words]);
    }
    return answers;
  }

  test("is unknown also to whoever writes what stands before its id", async () => {
    const listId = await longList();
    const unknown = await answersTo(`list_${"0".repeat(26)}`);
    expect(unknown.filter((answer) => (answer as unknown[])[2] === 500)).toEqual([]);
    await whileRemoving(listId, async () => {
      expect(await answersTo(`removed:${listId}`)).toEqual(unknown);
      expect((await api.call("DELETE", `/lists/removed:${listId}`)).status).toBe(404);
      // Their stories have it for as long as they are on it, under the id that people know.
      const { body } = await api.call("GET", `/contacts/ct_${PEOPLE}/timeline`);
      expect(body.data.map(({ details }: { details: { listId?: string } }) => details.listId)).toContain(
        listId,
      );
    });
    expect(memberships()).toBe(PEOPLE);
  });

  test("is not counted", async () => {
    const listId = await longList();
    await whileRemoving(listId, async () => {
      expect((await api.services.workspaces.counts(api.workspaceId)).lists).toBe(1);
    });
  });

  test("is not there for the same request if the first one was cut off, and a server removes what is left", async () => {
    const listId = await longList();
    await beside.unsafe(
      "CREATE FUNCTION stay() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NULL; END'",
    );
    await whileRemoving(listId, async (tx) => {
      // The server ends here, for this test: its row stays as it was committed last.
      await tx.unsafe("CREATE TRIGGER stay BEFORE DELETE ON lists FOR EACH ROW EXECUTE FUNCTION stay()");
    });
    const cutOff = await api.call("GET", `/lists/${listId}`);
    await beside.unsafe("DROP FUNCTION stay CASCADE");
    expect(cutOff.status).toBe(404);
    expect((await listsShown()).pagination.total).toBe(1);
    expect((await api.call("DELETE", `/lists/${listId}`)).status).toBe(404);
    const server = await openPostgres(place.url!, { clock: systemClock, random: seededRandom(1) });
    await removeHiddenLists(server, () => false);
    await server.close();
    expect(rowsFrom(api, "SELECT id FROM lists")).toEqual([{ id: everybody }]);
    expect(memberships()).toBe(PEOPLE);
  });
});
