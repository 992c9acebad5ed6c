/** GET /deliverability: what `doctor` says of one workspace's mail, from within the server. */
import { afterEach, describe, expect, test } from "bun:test";
import { networkInterfaces } from "node:os";
import { databasePath, inspect } from "#app/database.ts";
import { systemClock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import type { Dns } from "#doctor/dns/dns.ts";
import { examine } from "#doctor/examine.ts";
import { parseRelayUrls } from "#mail/smtp/relay/relay-address.ts";
import { BASE_URL, startApi, type TestApi } from "../../support/server/api.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { eventually } from "../../support/common/eventually.ts";
import { stall } from "../../support/sending/scripted-smtp.ts";
import { SENDER, startSending, type SendingApi } from "../../support/sending/sending.ts";
import { writeTo, needsSqlite } from "../../support/server/services.ts";

const started: TestApi[] = [];
afterEach(async () => {
  for (const api of started.splice(0)) await api.stop({ graceMs: 0 });
});

const keep = <T extends TestApi>(api: T): T => {
  started.push(api);
  return api;
};

/** A DNS that knows these TXT records, and counts how often it is asked. */
function zone(records: Record<string, string>): Dns & { asked: number } {
  const missing = () => Promise.reject(Object.assign(new Error("ENOTFOUND"), { code: "ENOTFOUND" }));
  return {
    asked: 0,
    ns() {
      this.asked++;
      return Promise.resolve(["a.nic.example"]);
    },
    mx: missing,
    addresses: missing,
    txt: (name) => (records[name] === undefined ? missing() : Promise.resolve([[records[name]]])),
  };
}

const RECORDS = {
  "shop.example.org": "v=spf1 include:relay.example.com ~all",
  "_dmarc.example.org": "v=DMARC1; p=reject",
};

const checks = async (api: TestApi, key = api.key): Promise<any[]> =>
  (await api.call("GET", "/deliverability", undefined, key)).body.data;
const levels = async (api: TestApi, key?: string) =>
  (await checks(api, key)).map(({ id, level }) => `${id} ${level}`);

describe("what it says", () => {
  test("covers bounceDomain, where there is one", async () => {
    const api = keep(await startSending({}, { dns: zone(RECORDS), inboundSmtp: true }));
    await api.services.workspaces.changeSettings(api.workspaceId, { bounceDomain: "b.shop.example.org" });
    expect(await levels(api)).toEqual(
      expect.arrayContaining(["bounce_spf warning", "bounce_alignment ok", "bounce_mx problem"]),
    );
  });

  test("says where the MX of bounceDomain leads, and whether anybody reads what arrives there", async () => {
    const own = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
    const records = { ...RECORDS, "b.shop.example.org": "v=spf1 mx -all" };
    const machine = own.map(({ address }) => address);
    const dns = {
      ...zone(records),
      mx: async () => [
        { exchange: "backup.example.net", priority: 20 },
        { exchange: "mail.shop.example.org", priority: 10 },
      ],
      addresses: async (name: string) => (name === "mail.shop.example.org" ? machine : ["192.0.2.1"]),
    };
    const mxOf = async (options: { inboundSmtp: boolean; dns: Dns }, settings = {}) => {
      const api = keep(await startSending({}, options));
      const bounceDomain = "b.shop.example.org";
      await api.services.workspaces.changeSettings(api.workspaceId, { bounceDomain, ...settings });
      const found = await checks(api);
      expect(found).toContainEqual(expect.objectContaining({ id: "bounce_spf", level: "ok" }));
      const { level, text } = found.find(({ id }) => id === "bounce_mx");
      return `${level}: ${text}`;
    };
    const names = "mail.shop.example.org and backup.example.net";
    expect(await mxOf({ inboundSmtp: true, dns })).toBe(
      `ok: MX of b.shop.example.org: ${names}, which is this machine`,
    );
    const elsewhere = { ...dns, addresses: async () => ["192.0.2.1"] };
    expect(await mxOf({ inboundSmtp: true, dns: elsewhere })).toContain("has no address of this machine");
    expect(await mxOf({ inboundSmtp: false, dns })).toBe(
      `warning: MX of b.shop.example.org: ${names}, and nobody reads what arrives there`,
    );
    const bounceMailbox = "imap://bounces:secret@127.0.0.1:1/INBOX";
    expect(await mxOf({ inboundSmtp: false, dns }, { bounceMailbox })).toStartWith("ok: ");
  });

  test("is each check with an id, a level, a text and what to do", async () => {
    const api = keep(await startSending({}, { dns: zone(RECORDS) }));
    expect(await checks(api)).toEqual([
      { id: "settings", level: "ok", text: `settings of ${api.workspaceId}: complete`, advice: null },
      {
        id: "relay",
        level: "ok",
        text: expect.stringMatching(/^relay 127\.0\.0\.1:\d+: reached on this machine, without a login$/),
        advice: null,
      },
      { id: "dkim", level: "warning", text: "DKIM: mail is not signed here", advice: expect.any(String) },
      {
        id: "spf",
        level: "ok",
        text: `SPF of shop.example.org: ${RECORDS["shop.example.org"]}`,
        advice: null,
      },
      { id: "dmarc", level: "ok", text: expect.stringContaining("p=reject"), advice: null },
      { id: "base_url", level: "ok", text: `BASE_URL: ${BASE_URL}`, advice: null },
    ]);
    expect(api.relay.accepted).toEqual([]);
  });

  test("has, where it is asked for, the record to publish where there is none, as its advice says it", async () => {
    const api = keep(await startSending({}, { dns: zone({}) }));
    const bounceDomain = "b.shop.example.org";
    const dkim = { dkimDomain: "shop.example.org", dkimSelector: "mail1" };
    await api.services.workspaces.changeSettings(api.workspaceId, { bounceDomain, ...dkim });
    expect((await checks(api)).filter((check) => "record" in check)).toEqual([]);
    expect((await api.call("GET", "/deliverability?include=dns")).status).toBe(422);
    const all = (await api.call("GET", "/deliverability?include=record")).body.data as any[];
    const found = all.filter(({ record }) => record !== null);
    expect(found.map(({ id, record: { type, name } }) => [id, type, name])).toEqual([
      ["spf", "TXT", "shop.example.org"],
      ["dmarc", "TXT", "_dmarc.shop.example.org"],
      ["dkim", "TXT", "mail1._domainkey.shop.example.org"],
      ["bounce_spf", "TXT", "b.shop.example.org"],
      ["bounce_mx", "MX", "b.shop.example.org"],
    ]);
    for (const { advice, record } of found.filter(({ record: { type } }) => type === "TXT"))
      expect(advice).toContain(`${record.name}: ${record.value}`);
  });

  test.skipIf(needsSqlite("it looks into the data directory"))(
    "is word for word what `doctor` says of the same workspace",
    async () => {
      const dns = zone({});
      const api = keep(await startSending({}, { dns }));
      await api.services.workspaces.changeSettings(api.workspaceId, { sending: false, mailingAddress: "" });
      const lately = systemClock.now() - 3_600_000;
      await writeTo(
        api,
        `INSERT INTO activity_counts VALUES (1, ${lately - (lately % 900_000)}, 90, 10, 0, 0, 0, 0, 0, 0, 0, 0)`,
      );
      const path = databasePath(api.dataDir);
      const installation = {
        dataDir: api.dataDir,
        databasePath: path,
        baseUrl: BASE_URL,
        host: "127.0.0.1",
        namesProxies: false,
        relays: unwrap(parseRelayUrls(api.relay.url)),
        inboundSmtp: null,
      };
      const doctor = await Array.fromAsync(
        examine(installation, () => inspect(path, systemClock.now()), { dns, clock: manualClock() }),
      );
      const found = await checks(api);
      // Else the check of the ledger at the end finds messages that never were.
      await writeTo(api, "DELETE FROM activity_counts");
      expect(found.length).toBe(8);
      expect(found).toContainEqual(expect.objectContaining({ id: "reputation", level: "warning" }));
      for (const { id, level, text, advice } of found) {
        const said = doctor.find((finding) => finding.id === id && text.startsWith(`${finding.check}: `))!;
        expect([text, advice]).toEqual([`${said.check}: ${said.message}`, said.advice]);
        expect({ ok: "ok", warn: "warning", fail: "problem" }[said.result]).toBe(level);
      }
    },
  );

  test("is of the key's workspace alone", async () => {
    const api = keep(await startSending({}, { dns: zone(RECORDS) }));
    const other = await api.services.workspaces.create("Neighbours");
    const found = await checks(api, other.key);
    expect(found.map(({ id, level }) => `${id} ${level}`)).toEqual([
      "settings problem",
      "relay ok",
      "base_url ok",
    ]);
    expect(JSON.stringify(found)).not.toContain("shop.example.org");
  });

  test("that mail is captured, where it is; then nobody outside is asked", async () => {
    const dns = zone(RECORDS);
    const api = keep(await startApi({ isCaptured: true, dns }));
    await api.services.workspaces.changeSettings(api.workspaceId, SENDER);
    expect(await levels(api)).toEqual(["settings ok", "mail warning", "base_url ok"]);
    expect(dns.asked).toBe(0);
  });

  test("of a workspace's own relays, not of the service's; one that refuses is a problem", async () => {
    const api = keep(await startSending({}, { dns: zone(RECORDS) }));
    const smtpUrl = "smtp://ada:secret@127.0.0.1:1";
    await api.services.workspaces.changeSettings(api.workspaceId, { smtpUrl });
    const [relay, ...others] = (await checks(api)).filter(({ id }) => id === "relay");
    expect([relay.level, others]).toEqual(["problem", []]);
    expect(relay.text).toStartWith("relay 127.0.0.1:1: no session, at CONNECT");
    expect(JSON.stringify(relay)).not.toContain("secret");
    expect(api.relay.connections).toBe(0);
  });
});

describe("how it is looked up", () => {
  test("once a minute at most, at once where the settings have changed, and once for all who ask together", async () => {
    const clock = manualClock();
    const dns = zone(RECORDS);
    const api = keep(await startSending({}, { clock, dns }));
    await Promise.all(Array.from({ length: 5 }, () => checks(api)));
    expect([dns.asked, api.relay.connections]).toEqual([1, 1]);
    clock.advance(59_999);
    await checks(api);
    expect([dns.asked, api.relay.connections]).toEqual([1, 1]);
    clock.advance(1);
    await checks(api);
    expect([dns.asked, api.relay.connections]).toEqual([2, 2]);
    await api.call("PATCH", "/settings", { fromEmail: "ada@example.net" });
    expect(JSON.stringify(await checks(api))).toContain("SPF of example.net");
    expect(dns.asked).toBe(3);
  });

  test("a DNS that is slow holds the answer up for 2.5 seconds and no longer; the next answer has it", async () => {
    const clock = manualClock();
    const answering = Promise.withResolvers<string[]>();
    const dns = { ...zone(RECORDS), ns: () => answering.promise };
    const api = keep(await startSending({}, { clock, dns }));
    let isAnswered = false;
    const early = checks(api).finally(() => (isAnswered = true));
    await eventually(() => api.relay.connections === 1);
    clock.advance(2_499);
    expect([(await api.call("GET", "/lists")).status, isAnswered]).toEqual([200, false]);
    clock.advance(1);
    expect((await early).find(({ id }) => id === "dns")).toEqual({
      id: "dns",
      level: "warning",
      text: "DNS: still being looked up",
      advice: "ask again in some seconds",
    });
    answering.resolve([]);
    expect(await levels(api)).toContain("spf ok");
  });

  test("a relay that mail is going through is not greeted beside it", async () => {
    const api = keep(await startSending({ MAIL: stall }, { dns: zone(RECORDS), connections: 1 }));
    await heldAtRelay(api);
    const found = (await checks(api)).find(({ id }) => id === "relay");
    expect([found.level, found.text]).toEqual([
      "ok",
      expect.stringContaining("mail is on its way through it"),
    ]);
    expect(api.relay.connections).toBe(1);
  });
});

/** A message that stays at the relay. */
async function heldAtRelay(api: SendingApi): Promise<void> {
  void api
    .call("POST", "/send", { to: "grace@example.com", subject: "Hi", text: "Hi" })
    .catch(() => undefined);
  await api.relay.reached("MAIL");
}

test("what bounced and was complained about lately is said where something left, and warned about above the limits", async () => {
  const api = keep(await startSending({}, { dns: zone(RECORDS) }));
  const reputation = async () => (await checks(api)).filter(({ id }) => id === "reputation");
  expect(await reputation()).toEqual([]);
  const at = Date.now() - (Date.now() % 900_000);
  await writeTo(
    api,
    `INSERT INTO activity_counts (workspace, at, sent, bounced, opened, clicked, unsubscribed, complained, new_contacts, events)
     VALUES (1, ${at - 3_600_000}, 995, 5, 0, 0, 0, 1, 0, 0)`,
  );
  expect(await reputation()).toEqual([
    {
      id: "reputation",
      level: "ok",
      text: "bounces and complaints: of the 1000 messages of the last 7 days, 0.5% bounced and 0.1% were complained about",
      advice: null,
    },
  ]);
  await writeTo(api, "UPDATE activity_counts SET bounced = 105");
  expect(await reputation()).toMatchObject([
    { level: "warning", text: expect.stringContaining("105 bounced: 9.6%, more than 5%.") },
  ]);
  // Else the check of the ledger at the end finds messages that never were.
  await writeTo(api, "DELETE FROM activity_counts");
});
