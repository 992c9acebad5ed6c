import { afterAll, beforeAll, expect, test } from "bun:test";
import { newForm, startForms, type FormsApi } from "../../support/people/forms.ts";
import { consentLog, contactOf, suppressions } from "../../support/people/people.ts";
import { ENDS_LINKS, stand, type Place } from "../../support/people/returning.ts";
import { rowsFrom } from "../../support/server/services.ts";

let api: FormsApi;
let form: any;
beforeAll(async () => {
  api = await startForms({ doubleOptIn: true });
  form = await newForm(api);
});
afterAll(() => api.stop());

const OUT: Place = { status: "UNSUBSCRIBED", suppression: "UNSUBSCRIBED" };

let people = 0;
const newAddress = () => `left-${++people}@example.com`;

/** Every mail that was due has gone: one of a stranger, who signed up after all others, has arrived. */
async function allMailIsOut(): Promise<void> {
  const stranger = newAddress();
  await api.submit(form.id, { email: stranger });
  await api.confirmLinks(stranger);
}

test("however often the address of somebody who left is typed in, they get one mail a form and three a day (A-01)", async () => {
  const victims = Array.from({ length: 3 }, newAddress);
  for (const email of victims) await stand(api, email, OUT);
  const forms = await Promise.all(Array.from({ length: 5 }, () => newForm(api)));
  for (let round = 0; round < 2; round++)
    await Promise.all(forms.flatMap(({ id }) => victims.map((email) => api.submit(id, { email }))));
  await Promise.all(victims.map((email) => api.confirmLinks(email, 3)));
  await allMailIsOut();
  expect(victims.map((email) => api.mailsTo(email).length)).toEqual([3, 3, 3]);
  for (const email of victims) expect((await contactOf(api, email)).status).toBe("UNSUBSCRIBED");
});

test("a confirmation that still waits for the relay is not sent to somebody who has left meanwhile", async () => {
  const waiting = await startForms({ doubleOptIn: true });
  waiting.relay.stop();
  const { id } = await newForm(waiting);
  const leaves = ENDS_LINKS["they unsubscribed by a link, perhaps once more"]!;
  await stand(waiting, "left@example.com", OUT);
  for (const email of ["left@example.com", "pending@example.com", "stays@example.com"])
    await waiting.submit(id, { email });
  for (const email of ["left@example.com", "pending@example.com"]) await leaves(waiting, email, { id });
  const owed = rowsFrom<{ seq: number; address: string }>(
    waiting,
    "SELECT seq, address FROM deliveries WHERE state = 'queued'",
  );
  const { ledger } = waiting.services;
  const claims = await Promise.all(
    owed.map(async ({ seq, address }) => [address, await ledger.skipIfBarred(seq, waiting.clock.now())]),
  );
  expect(Object.fromEntries(claims)).toEqual({
    "left@example.com": "OPTED_OUT",
    "pending@example.com": "OPTED_OUT",
    "stays@example.com": "owed",
  });
  await waiting.stop({ graceMs: 0 });
});

test("without a sender address nothing is sent and nothing changes", async () => {
  const mute = await api.services.workspaces.create("Mute");
  await api.services.workspaces.changeSettings(mute.id, { doubleOptIn: true });
  const { id } = (await api.call("POST", "/forms", { name: "A" }, mute.key)).body.data;
  await api.services.suppressions.add(mute.id, "mute@example.com", "UNSUBSCRIBED");
  const before = api.relay.transactions;
  expect((await api.submit(id, { email: "mute@example.com" })).status).toBe(200);
  expect([await suppressions(api, mute.id), await consentLog(api, mute.id), api.relay.transactions]).toEqual([
    { "mute@example.com": "UNSUBSCRIBED" },
    [],
    before,
  ]);
});
