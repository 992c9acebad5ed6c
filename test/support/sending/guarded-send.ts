/** A draft to two people that may be sent now: the start of tests of guardrails. */
import { expect } from "bun:test";
import { makeAudience, makeCampaign, send, startSending, type SendingApi } from "./sending.ts";
import { mailOf, sendState, standingClock } from "./sending-state.ts";

/** A Saturday, 10:00 UTC. */
export const NOW = Date.UTC(2026, 10, 21, 10);
export const QUIET_NOW = { fromMinute: 9 * 60, toMinute: 11 * 60 };
export const PEOPLE = ["ada@example.com", "grace@example.org"];

export type Scene = { readonly id: string; readonly listId: string };

export async function stageSend(): Promise<{ api: SendingApi; scene: Scene }> {
  const api = await startSending({}, { clock: standingClock(NOW) });
  const { listId } = await makeAudience(api, PEOPLE);
  return { api, scene: { id: await makeCampaign(api, listId), listId } };
}

export async function suppressAll(api: SendingApi, how: "add" | "remove"): Promise<void> {
  for (const address of PEOPLE) await api.services.suppressions[how](api.workspaceId, address);
}

/** The check finds nothing in the way and changes nothing; the send goes to both. */
export async function expectSent(api: SendingApi, { id }: Scene): Promise<void> {
  const before = sendState(api);
  expect((await api.call("POST", `/campaigns/${id}/check`)).body.data).toEqual({
    recipients: 2,
    skipped: {},
    refusal: null,
    estimatedSeconds: 1,
  });
  expect(sendState(api)).toEqual(before);
  expect((await send(api, id)).body).toEqual({ data: { sent: 2, failed: 0, remaining: 0, complete: true } });
  expect(mailOf(api).toSorted()).toEqual(PEOPLE.map((address) => `${address}: Spring is here`));
}
