/** Thirty days of a small newsletter on a real service, whose clock is moved from day to day. */
import { systemClock, type Clock } from "#core/time/clock.ts";
import { DAY_MS, HOUR_MS } from "#core/time/time.ts";
import type { Dns } from "#doctor/dns/dns.ts";
import { live } from "../../test/support/automations/automations.ts";
import { dice } from "../../test/support/common/dice.ts";
import { shiftableClock } from "../../test/support/people/forms.ts";
import { eventually } from "../../test/support/common/eventually.ts";
import { send, startSending, type SendingApi } from "../../test/support/sending/sending.ts";
import { AUTOMATION, CAMPAIGNS, FIRST, LAST, LETTER, PLACES, type Issue } from "./words.ts";

const DAYS = 30;
const BASE_URL = "https://mail.riders.example";

/** The domain is in order. */
const dns: Dns = {
  ns: async () => ["ns.example"],
  mx: async () => [],
  addresses: async () => [],
  txt: async (name) => [[name.startsWith("_dmarc.") ? "v=DMARC1; p=quarantine" : "v=spf1 mx ~all"]],
};

/** A fixed seed, so that two runs show the same people. */
const { fraction, roll, pick } = dice(17);

type Made = { readonly draft: string; readonly sent: string; readonly automation: string };

/** When mail of the morning is opened: hours after nine, and the share of the unread mail that is opened then. */
const OPENED = [
  [1, 0.09],
  [2, 0.07],
  [3, 0.05],
  [5, 0.03],
  [8, 0.02],
  [11, 0.03],
  [13, 0.01],
] as const;

/** A service at the end of these days. */
export async function newsletter(): Promise<{ readonly api: SendingApi; readonly made: Made }> {
  const clock = shiftableClock();
  const now = clock.now();
  const first = now - (now % DAY_MS) - DAYS * DAY_MS;
  const goTo = (at: number): void => clock.shift(at - clock.now());
  goTo(first + 9 * HOUR_MS);
  const api = await startSending({ RCPT: gone }, { clock, dns, baseUrl: BASE_URL });
  await api.services.workspaces.changeSettings(api.workspaceId, SETTINGS);
  const list = await maker(api)("/lists", { name: "Newsletter" });
  const automation = await live(api, AUTOMATION, "Welcome, with a reminder");
  const readers = mailReaders(api, clock);
  let sent = "";
  for (let day = 0; day < DAYS; day++) {
    const morning = first + day * DAY_MS + 9 * HOUR_MS;
    goTo(morning);
    await peopleJoin(api, list, day);
    const campaign = CAMPAIGNS.find((one) => one.day === day);
    if (campaign !== undefined) sent = await goesOut(api, list, campaign);
    for (const [hours, share] of OPENED) {
      goTo(morning + hours * HOUR_MS);
      await readers.read(share);
    }
  }
  goTo(systemClock.now());
  await api.services.tracking.drain();
  return { api, made: { sent, automation, draft: await whatIsNext(api, list, clock.now()) } };
}

/** Two addresses in a hundred do not exist. */
const gone = ({ rcptTo }: { readonly rcptTo: readonly string[] }): string | undefined =>
  /7[13]@/.test(rcptTo[0] ?? "") ? "550 5.1.1 No such user" : undefined;

const SETTINGS = {
  name: "The Daily Rider",
  fromName: "The Daily Rider",
  fromEmail: "news@riders.example",
  mailingAddress: "The Daily Rider, 1 Example Street, Springfield",
  timezone: "Europe/Berlin",
  brandColor: "#0b6a73",
};

/** A letter that is being written, and one that is scheduled. @returns the first one's id */
async function whatIsNext(api: SendingApi, list: string, now: number): Promise<string> {
  const made = maker(api);
  const rules = {
    any: PLACES.slice(0, 2).map((value) => ({ field: "attributes.city", op: "equals", value })),
  };
  const segment = await made("/segments", { name: PLACES.slice(0, 2).join(" and "), rules });
  const draft = await made("/campaigns", {
    name: "December letter",
    subject: LETTER.subject,
    body: LETTER.body,
    listId: list,
  });
  await api.call("PATCH", `/campaigns/${draft}/options`, {
    format: "mjml",
    personalize: true,
    preheader: LETTER.preheader,
    segmentId: segment,
  });
  const later = await made("/campaigns", {
    name: "Before the holidays",
    subject: "Open until the 22nd",
    body: LETTER.body,
    listId: list,
  });
  await api.call("PATCH", `/campaigns/${later}/options`, { format: "mjml", personalize: true });
  await made(`/campaigns/${later}/schedule`, { scheduledAt: new Date(now + 9 * DAY_MS).toISOString() });
  return draft;
}

type Maker = (path: string, body: object) => Promise<string>;

/** Makes something by the API. @returns its id */
const maker =
  (api: SendingApi): Maker =>
  async (path, body) => {
    const answer = await api.call("POST", path, body);
    if (answer.status >= 300) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
    return answer.body.data.id;
  };

let people = 0;

/** More people join every day, and many on the first: those of the old tool. */
async function peopleJoin(api: SendingApi, list: string, day: number): Promise<void> {
  const count = day === 0 ? 90 : 18 + day + roll(30);
  const contactIds = await Promise.all(
    Array.from({ length: count }, async () => {
      const [firstName, lastName] = [pick(FIRST), pick(LAST)];
      const email = `${firstName}.${lastName}.${++people}@example.com`.toLowerCase();
      const contact = { email, firstName, lastName, attributes: { city: pick(PLACES) } };
      return await maker(api)("/contacts", contact);
    }),
  );
  await api.call("POST", `/lists/${list}/contacts`, { contactIds });
  await eventually(() => welcomed(api) >= people);
}

/** How many people got their welcome mail and wait for the next step. */
const welcomed = ({ services }: SendingApi): number =>
  services.database.sqlite
    .query<{ n: number }, []>(
      "SELECT coalesce(sum(entered), 0) AS n FROM automation_nodes WHERE node = 'pause'",
    )
    .get()!.n;

async function goesOut(api: SendingApi, list: string, { name, subject }: Issue): Promise<string> {
  const made = maker(api);
  const id = await made("/campaigns", { name, subject, body: LETTER.body, listId: list });
  await api.call("PATCH", `/campaigns/${id}/options`, { format: "mjml", personalize: true });
  await send(api, id);
  await eventually(async () => (await api.call("GET", `/campaigns/${id}`)).body.data.status === "SENT");
  return id;
}

type Unread = { readonly at: number; readonly text: string };

/** Those who got mail: some open it, fewer follow a link, a few leave. After two days nobody opens it any more. */
function mailReaders(api: SendingApi, clock: Clock) {
  let unread: Unread[] = [];
  let seen = 0;
  const visit = (path: string, init: RequestInit = {}): Promise<Response> =>
    fetch(api.url + path, {
      redirect: "manual",
      headers: { "user-agent": "Mozilla/5.0 (X11) Thunderbird/140" },
      ...init,
    });
  const one = async ({ text }: Unread): Promise<void> => {
    const [, pixel] = /(\/o\/[\w.-]+)/.exec(text) ?? [];
    const links = [...text.matchAll(/(\/c\/[\w.-]+\/\d+)/g)].map(([, link]) => link!);
    const [, leave] = /(\/u\/[\w.-]+)/.exec(text) ?? [];
    if (pixel !== undefined) await visit(pixel);
    if (links.length > 0 && fraction() < 0.3) await visit(links[fraction() < 0.7 ? 0 : roll(links.length)]!);
    if (leave !== undefined && fraction() < 0.012) await visit(leave, { method: "POST" });
  };
  return {
    /** Opens this share of the messages that nobody has opened yet. */
    async read(share: number): Promise<void> {
      const now = clock.now();
      unread.push(...api.relay.accepted.slice(seen).map(({ raw }) => ({ at: now, text: plain(raw) })));
      seen = api.relay.accepted.length;
      unread = unread.filter(({ at }) => now - at < 2 * DAY_MS);
      const opened = unread.filter(() => fraction() < share);
      unread = unread.filter((message) => !opened.includes(message));
      for (const message of opened) await one(message);
    },
  };
}

/** Without quoted-printable (RFC 2045, section 6.7): links are ASCII. */
const plain = (raw: string): string =>
  raw
    .replaceAll("=\r\n", "")
    .replaceAll(/=([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
