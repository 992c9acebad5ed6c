/** Our own mail that comes back to us, because an address leads to us or a forwarder sends it in a circle. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { present } from "#core/present.ts";
import { newForm, startForms, type FormsApi } from "../../support/people/forms.ts";
import { consentLog, listOf, person, suppressions } from "../../support/people/people.ts";
import { eventually } from "../../support/common/eventually.ts";
import { BOUNCE_DOMAIN, overSmtp } from "../../support/inbound/reports.ts";
import { makeCampaign, send } from "../../support/sending/sending.ts";

let api: FormsApi;
beforeAll(async () => {
  api = await startForms({ doubleOptIn: true, bounceDomain: BOUNCE_DOMAIN }, { inboundSmtp: true });
});
afterAll(() => api.stop());

const campaign = async (email: string): Promise<void> => {
  const { id } = await person(api, email);
  await send(api, await makeCampaign(api, await listOf(api, "Readers", [id])));
};
const confirmation = async (email: string): Promise<void> => {
  await api.submit((await newForm(api)).id, { email });
};
const transactional = async (email: string): Promise<void> => {
  await api.call("POST", "/send", { to: email, subject: "Receipt", text: "Thanks" });
};

test.each([
  ["a campaign", campaign],
  ["a confirmation", confirmation],
  ["a receipt", transactional],
] as const)(
  "%s that comes back as it left, again and again, changes nobody and is answered by nothing",
  async (name, mailTo) => {
    const email = `${name.replace(" ", "-")}@example.com`;
    await mailTo(email);
    const left = () => api.relay.accepted.find(({ rcptTo }) => rcptTo[0] === email);
    await eventually(() => left() !== undefined);
    const { raw, mailFrom } = present(left(), "mail");
    expect(mailFrom).toEndWith(`@${BOUNCE_DOMAIN}`);
    const standing = async () => ({
      people: (await api.call("GET", "/contacts?limit=100")).body.data,
      suppressed: await suppressions(api),
      consents: await consentLog(api),
      mails: api.relay.accepted.length,
    });
    const before = await standing();
    let looped = raw;
    for (let round = 0; round < 20; round++) {
      looped = `Received: from mx.example.net by ours; round ${round}\r\n${looped}`;
      await overSmtp(api, Buffer.from(looped, "latin1"), mailFrom);
    }
    expect(await standing()).toEqual(before);
  },
);

test("somebody who signs up our own address gets its confirmation, and nothing more comes of it", async () => {
  await campaign("owner@example.com");
  const own = present(api.relay.accepted.at(-1), "mail").mailFrom;
  const suppressed = await suppressions(api);
  await confirmation(own);
  const toUs = () => api.relay.accepted.filter(({ rcptTo }) => rcptTo[0] === own);
  await eventually(() => toUs().length === 1);
  const mails = api.relay.accepted.length;
  await overSmtp(api, Buffer.from(present(toUs()[0], "mail").raw, "latin1"), own);
  expect([api.relay.accepted.length, await suppressions(api)]).toEqual([mails, suppressed]);
});
