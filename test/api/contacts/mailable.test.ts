import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { person } from "../../support/people/people.ts";
import {
  deliveriesOf,
  makeAudience,
  makeCampaign,
  send,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";

let api: SendingApi;
beforeAll(async () => {
  api = await startSending();
});
afterAll(() => api.stop());

const mailable = async (id: string, key?: string) =>
  (await api.call("GET", `/contacts/${id}/mailable`, undefined, key)).body.data;
const codesOf = async (id: string): Promise<string[]> =>
  (await mailable(id)).reasons.map(({ code }: { code: string }) => code);

describe("GET /contacts/{id}/mailable", () => {
  test("a SUBSCRIBED contact with nothing in the way is mailable, without reasons", async () => {
    const { id } = await person(api, "fine@example.com");
    expect(await mailable(id)).toEqual({ mailable: true, reasons: [] });
  });

  test("says every reason, each once, with its time where that is known", async () => {
    const { id, createdAt } = await person(api, "pending@blocked.example", { status: "PENDING" });
    await api.services.suppressions.add(api.workspaceId, "pending@blocked.example", "MANUAL");
    await api.services.suppressions.add(api.workspaceId, "pending@blocked.example", "COMPLAINT");
    await api.services.suppressions.blockDomain(api.workspaceId, "blocked.example");
    const said = await mailable(id);
    expect(said.mailable).toBe(false);
    expect(said.reasons).toEqual([
      { code: "SUPPRESSED", message: "Their address is suppressed: by hand.", since: expect.any(String) },
      { code: "PENDING", message: "They have not agreed to marketing mail yet.", since: createdAt },
      { code: "BLOCKED_DOMAIN", message: "Mail to blocked.example is blocked.", since: expect.any(String) },
    ]);
  });

  test("follows what happens: opted out by status without a time, by consent with one, back again suppressed", async () => {
    const { id } = await person(api, "moves@example.com");
    const patch = (body: object) => api.call("PATCH", `/contacts/${id}`, body);
    await patch({ status: "UNSUBSCRIBED" });
    expect((await mailable(id)).reasons).toMatchObject([
      { code: "UNSUBSCRIBED", since: null },
      { code: "SUPPRESSED" },
    ]);
    await patch({ consent: "declined" });
    expect((await mailable(id)).reasons[0].since).toBeString();
    await patch({ status: "SUBSCRIBED", consent: "explicit" });
    expect(await codesOf(id)).toEqual(["SUPPRESSED"]);
    await api.services.suppressions.remove(api.workspaceId, "moves@example.com");
    expect(await mailable(id)).toEqual({ mailable: true, reasons: [] });
  });

  test("looks at the address of now: a new one is not suppressed with the old", async () => {
    const { id } = await person(api, "old@example.com");
    await api.services.suppressions.add(api.workspaceId, "old@example.com", "MANUAL");
    expect(await codesOf(id)).toEqual(["SUPPRESSED"]);
    await api.call("PATCH", `/contacts/${id}`, { email: "new@example.com" });
    expect(await codesOf(id)).toEqual([]);
  });

  test("is of its workspace: what another one suppresses and blocks is no reason, and its key finds nobody", async () => {
    const other = await api.services.workspaces.create("Neighbours");
    const { id } = await person(api, "shared@neighbour.example");
    await api.services.suppressions.add(other.id, "shared@neighbour.example", "COMPLAINT");
    await api.services.suppressions.blockDomain(other.id, "neighbour.example");
    expect(await mailable(id)).toEqual({ mailable: true, reasons: [] });
    expect((await api.call("GET", `/contacts/${id}/mailable`, undefined, other.key)).status).toBe(404);
    expect((await api.call("GET", "/contacts/ct_nobody/mailable")).status).toBe(404);
  });

  test("tells what a send does: whoever it calls mailable gets the campaign, nobody else", async () => {
    const { suppressions } = api.services;
    await suppressions.blockDomain(api.workspaceId, "closed.example");
    const { listId, contactIds, addresses } = await makeAudience(api, [
      "reached@example.com",
      "suppressed@example.com",
      "someone@closed.example",
      "both@closed.example",
    ]);
    await suppressions.add(api.workspaceId, "suppressed@example.com", "MANUAL");
    await suppressions.add(api.workspaceId, "both@closed.example", "COMPLAINT");
    const campaign = await makeCampaign(api, listId);
    const told = await Promise.all(contactIds.map(async (id) => (await mailable(id)).mailable));
    await send(api, campaign);
    const rows = await deliveriesOf(api, campaign);
    expect(told).toEqual([true, false, false, false]);
    expect(addresses.map((address) => rows[address].state === "SENT")).toEqual(told);
  });
});
