/** A workspace that may send, and its audience: what sending tests begin with. */
import { startApi, type TestApi, type TestOptions } from "./api.ts";
import { scriptedSmtp, type Script, type ScriptedSmtp } from "./scripted-smtp.ts";

export type SendingApi = TestApi & { readonly relay: ScriptedSmtp };

export const SENDER = {
  fromEmail: "news@shop.example.org",
  fromName: "Ada's Shop",
  mailingAddress: "Ada's Shop, 1 Analytical Way, London",
};

/** A running service with a scripted relay; its workspace has a sender and a mailing address. */
export async function startSending(on: Script = {}, options: TestOptions = {}): Promise<SendingApi> {
  const relay = scriptedSmtp({ on });
  const api = await startApi({ smtpUrl: relay.url, ...options });
  await api.services.workspaces.changeSettings(api.workspaceId, SENDER);
  return {
    ...api,
    relay,
    async stop() {
      await api.stop();
      relay.stop();
    },
  };
}

export type Audience = { readonly listId: string; readonly contactIds: string[]; readonly addresses: string[] };

/** A list of SUBSCRIBED contacts, written in one go: reader-1@example.com and so on, unless addresses are given. */
export async function makeAudience(api: TestApi, who: number | readonly string[]): Promise<Audience> {
  const addresses = typeof who === "number" ? Array.from({ length: who }, (_, i) => `reader-${i + 1}@example.com`) : [...who];
  const list = await api.call("POST", "/lists", { name: "Readers" });
  const contacts = await Promise.all(addresses.map((email) => api.call("POST", "/contacts", { email })));
  const contactIds = contacts.map((answer) => answer.body.data.id as string);
  const listId = list.body.data.id as string;
  if (contactIds.length > 0) await api.call("POST", `/lists/${listId}/contacts`, { contactIds });
  return { listId, contactIds, addresses };
}

export const BODY = `<html><body><h1>Hello</h1><p>Read <a href="https://shop.example.org/new?a=1&amp;b=2">the news</a>.</p></body></html>`;

export async function makeCampaign(api: TestApi, listId: string | null, fields: object = {}): Promise<string> {
  const draft = { name: "Spring", subject: "Spring is here", body: BODY, ...(listId ? { listId } : {}), ...fields };
  const { body } = await api.call("POST", "/campaigns", draft);
  return body.data.id as string;
}

export const send = (api: TestApi, campaignId: string, options?: object) =>
  api.call("POST", `/campaigns/${campaignId}/send`, options);

export async function reportOf(api: TestApi, campaignId: string) {
  return (await api.call("GET", `/campaigns/${campaignId}/report`)).body.data;
}

/** Every recipient's row, by address. */
export async function deliveriesOf(api: TestApi, campaignId: string): Promise<Record<string, any>> {
  const { body } = await api.call("GET", `/campaigns/${campaignId}/deliveries?limit=100`);
  return Object.fromEntries(body.data.map((row: { email: string }) => [row.email, row]));
}
