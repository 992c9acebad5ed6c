/** A campaign's own sender and tracking, read off the mail that was delivered. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import PostalMime from "postal-mime";
import { present } from "#core/present.ts";
import { BASE_URL } from "../../support/server/api.ts";
import {
  headerOf,
  makeAudience,
  makeCampaign,
  send,
  SENDER,
  startSending,
  type SendingApi,
} from "../../support/sending/sending.ts";

let api: SendingApi;
beforeAll(async () => {
  api = await startSending();
});
afterAll(() => api.stop());

const BODY = '<p>Hi <a href="https://shop.example.org/x">look</a></p>';
let number = 0;

/** Sends a campaign with these options to one new person, and reads what came. */
async function delivered(options: object) {
  const email = `reader-${++number}@options.example.com`;
  const id = await makeCampaign(api, (await makeAudience(api, [email])).listId, { body: BODY });
  expect((await api.call("PATCH", `/campaigns/${id}/options`, options)).status).toBe(200);
  expect((await send(api, id)).body.data).toMatchObject({ sent: 1, complete: true });
  const found = api.relay.accepted.filter(({ rcptTo }) => rcptTo[0] === email);
  expect(found).toHaveLength(1);
  const { raw } = present(found[0], "message");
  const { from, html = "" } = await PostalMime.parse(Buffer.from(raw, "latin1"));
  return {
    from,
    replyTo: headerOf(raw, "Reply-To"),
    opens: html.includes(`${BASE_URL}/o/`),
    clicks: html.includes(`${BASE_URL}/c/`),
    isLinkAsWritten: html.includes('href="https://shop.example.org/x"'),
  };
}

const AS_WORKSPACE = {
  from: { name: SENDER.fromName, address: SENDER.fromEmail },
  replyTo: undefined,
  opens: true,
  clicks: true,
  isLinkAsWritten: false,
};
const UNTRACKED = { clicks: false, isLinkAsWritten: true };

test.each<[string, object, object]>([
  ["none: all is the workspace's", {}, {}],
  ["fromName", { fromName: "Grace & co" }, { from: { name: "Grace & co", address: SENDER.fromEmail } }],
  ["replyTo", { replyTo: "office@elsewhere.example" }, { replyTo: "office@elsewhere.example" }],
  ["no opens, no clicks", { trackOpens: false, trackClicks: false }, { opens: false, ...UNTRACKED }],
  ["opens alone", { trackOpens: true, trackClicks: false }, UNTRACKED],
  ["clicks alone", { trackOpens: false, trackClicks: true }, { opens: false }],
])("%s", async (_, options, own) => {
  expect(await delivered(options)).toEqual({ ...AS_WORKSPACE, ...own });
});

test.each([true, false])(
  "what a campaign says wins over the workspace, which says the opposite: %s",
  async (isOn) => {
    const set = (on: boolean, replyTo: string) =>
      api.services.workspaces.changeSettings(api.workspaceId, { trackOpens: on, trackClicks: on, replyTo });
    await set(!isOn, "workspace@shop.example.org");
    const own = { trackOpens: isOn, trackClicks: isOn, replyTo: "campaign@shop.example.org" };
    const found = await delivered(own);
    await set(true, "");
    const { from } = AS_WORKSPACE;
    expect(found).toEqual({ from, replyTo: own.replyTo, opens: isOn, clicks: isOn, isLinkAsWritten: !isOn });
  },
);
