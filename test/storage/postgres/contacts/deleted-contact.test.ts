/** Whoever is deleted while somebody else writes about them leaves nothing that was theirs alone. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SQL } from "bun";
import { BASE_URL } from "../../../support/server/api.ts";
import { postgresPlace, rowsFrom } from "../../../support/server/services.ts";
import { post } from "../../../support/server/transactional.ts";
import { decodedPart } from "../../../support/sending/marketing-fixture.ts";
import { eventually } from "../../../support/common/eventually.ts";
import { makeCampaign, send, startSending, type SendingApi } from "../../../support/sending/sending.ts";
import { lacksPostgres } from "../../../support/storage/postgres.ts";

/** Transactions that stand still because of what others hold. */
const WAITING =
  "SELECT count(*)::int4 AS n FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";

const OWN = "https://shop.example.org/of/ada";

describe.skipIf(await lacksPostgres())("a contact that is deleted", () => {
  let api: SendingApi;
  let beside: SQL;
  beforeAll(async () => {
    const place = await postgresPlace("deleted contact");
    api = await startSending({}, { place });
    beside = new SQL({ url: place.url!, max: 1 });
  });
  afterAll(async () => {
    await beside.close();
    await api.stop();
  });

  test("is named by no message of a request that began before", async () => {
    const { id } = (await api.call("POST", "/contacts", { email: "joan@example.com" })).body.data;
    const ask = () => post(api, { to: "joan@example.com" });
    // The month has its row.
    expect((await ask()).status).toBe(200);
    let asking: Promise<{ status: number }> | undefined;
    let deleting: Promise<{ status: number }> | undefined;
    let isGone = false;
    await beside.begin(async (tx) => {
      // The request has looked for the contact, and waits for the month's usage.
      await tx.unsafe("SELECT FROM sending_usage FOR UPDATE");
      const stand = async (count: number): Promise<boolean> => {
        const [found] = await tx.unsafe(WAITING);
        return found.n >= count;
      };
      asking = ask();
      await eventually(() => stand(1));
      deleting = api.call("DELETE", `/contacts/${id}`);
      void deleting.then(() => (isGone = true));
      await eventually(async () => isGone || (await stand(2)));
    });
    expect([(await asking)?.status, (await deleting)?.status]).toEqual([200, 204]);
    const named = "SELECT seq FROM deliveries WHERE address = 'joan@example.com' AND contact IS NOT NULL";
    expect(rowsFrom(api, named)).toEqual([]);
  });

  test("takes its own link with it, also where a click on it is being written", async () => {
    const listId = (await api.call("POST", "/lists", { name: "Readers" })).body.data.id as string;
    for (const firstName of ["ada", "grace"]) {
      const { id } = (await api.call("POST", "/contacts", { email: `${firstName}@example.com`, firstName }))
        .body.data;
      await api.call("POST", `/lists/${listId}/contacts`, { contactIds: [id] });
    }
    const body = `<a href="https://shop.example.org/of/{{ contact.firstName }}">x</a>`;
    const campaign = await makeCampaign(api, listId, { body });
    await api.call("PATCH", `/campaigns/${campaign}/options`, { personalize: true });
    expect((await send(api, campaign)).status).toBe(200);
    const { raw } = api.relay.accepted.find(({ rcptTo }) => rcptTo.includes("ada@example.com"))!;
    const [, path = ""] = new RegExp(`href="${BASE_URL}(/c/[^"]+)"`).exec(decodedPart(raw, 1))!;

    let deleting: Promise<{ status: number }> | undefined;
    await beside.begin(async (tx) => {
      // The click is half written: its link is there, and who followed it is not.
      await tx.unsafe("LOCK TABLE delivery_clicks IN SHARE MODE");
      await fetch(api.url + path, { redirect: "manual" });
      void api.services.tracking.drain();
      const stand = async (count: number): Promise<boolean> => {
        const [found] = await tx.unsafe(WAITING);
        return found.n >= count;
      };
      await eventually(() => stand(1));
      const { data } = (await api.call("GET", "/contacts?q=ada@")).body;
      deleting = api.call("DELETE", `/contacts/${data[0].id}`);
      await eventually(() => stand(2));
    });
    expect((await deleting)?.status).toBe(204);
    await api.services.tracking.drain();
    for (const table of ["delivery_links", "link_clicks"])
      expect(JSON.stringify(rowsFrom(api, `SELECT * FROM ${table}`))).not.toContain(OWN);
  });
});
