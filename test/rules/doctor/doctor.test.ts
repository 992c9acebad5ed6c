import { describe, expect, test } from "bun:test";
import { checkClock } from "#doctor/machine/clock-sanity.ts";
import { checkDns, type Dns } from "#doctor/dns/dns.ts";
import { checkDkim, checkDmarc, checkSpf, dmarcNames } from "#doctor/dns/dns-records.ts";
import { checkFileSystem, checkFreeSpace } from "#doctor/machine/file-system.ts";
import type { Finding } from "#doctor/finding.ts";
import { checkBaseUrl, checkProxy } from "#doctor/machine/public-address.ts";
import { checkSettings } from "#doctor/workspace/workspace-settings.ts";
import { DEFAULT_SETTINGS } from "#workspaces/settings/settings.ts";
import { manualClock } from "../../support/common/manual-clock.ts";

const GIB = 1024 ** 3;

describe("the disk", () => {
  const DISKS: readonly (readonly [string, number, Finding["result"]])[] = [
    ["ext4", 0xef53, "ok"],
    ["xfs", 0x58465342, "ok"],
    ["btrfs", 0x9123683e, "ok"],
    ["zfs", 0x2fc12fc1, "ok"],
    ["NFS", 0x6969, "fail"],
    ["SMB", 0x517b, "fail"],
    ["CIFS", 0xff534d42, "fail"],
    ["CIFS as a signed number", 0xff534d42 | 0, "fail"],
    ["SMB2", 0xfe534d42, "fail"],
    ["9P", 0x01021997, "fail"],
    ["Ceph", 0x00c36400, "fail"],
    ["FUSE", 0x65735546, "warn"],
    ["overlay", 0x794c7630, "warn"],
    ["tmpfs", 0x01021994, "warn"],
  ];
  test.each(DISKS)("is local, or said not to be: %s", (_, type, result) => {
    expect(checkFileSystem({ type, bsize: 4096, bavail: 1 }, "linux").result).toBe(result);
  });

  test("has room for the database twice over", () => {
    const free = (bytes: number, database: number) =>
      checkFreeSpace({ type: 0, bsize: 4096, bavail: bytes / 4096 }, database).result;
    expect([free(GIB, GIB / 10), free(GIB, GIB), free(GIB / 100, 0)]).toEqual(["ok", "warn", "fail"]);
  });
});

describe("the clock", () => {
  const now = Date.UTC(2026, 10, 21);
  const CLOCKS: readonly (readonly [string, number, number | null, Finding["result"]])[] = [
    ["in order", now, now - 1000, "ok"],
    ["in order, before the first run", now, null, "ok"],
    ["a little behind the last run", now, now + 30_000, "ok"],
    ["behind the last run", now, now + 3_600_000, "fail"],
    ["never set", 0, null, "fail"],
  ];
  test.each(CLOCKS)("is %s", (_, at, lastRunAt, result) => {
    expect(checkClock(at, lastRunAt).result).toBe(result);
  });

  test("is that of the database's server, or one of them is wrong", () => {
    const results = [0, 5_000, -3_600_000, 3_600_000].map(
      (apartMs) => checkClock(now, null, now + apartMs).result,
    );
    expect(results).toEqual(["ok", "ok", "fail", "fail"]);
  });
});

describe("a workspace", () => {
  const complete = { ...DEFAULT_SETTINGS, mailingAddress: "1 Example Street", fromEmail: "news@example.com" };
  const resultsOf = (settings: typeof complete): string[] =>
    checkSettings("ws_1", settings).map(({ result }) => result);

  test("needs a mailing address and a sender, and is told how to set what is missing", () => {
    expect(resultsOf(complete)).toEqual(["ok"]);
    const [finding] = checkSettings("ws_1", DEFAULT_SETTINGS);
    expect(finding?.result).toBe("fail");
    expect(finding?.advice).toBe("postrider settings set --workspace ws_1 mailingAddress=… fromEmail=…");
  });

  test("that may not send is warned about", () => {
    expect(resultsOf({ ...complete, suspended: true })).toEqual(["warn"]);
    expect(resultsOf({ ...complete, sending: false })).toEqual(["warn"]);
  });
});

describe("BASE_URL", () => {
  const ADDRESSES: readonly (readonly [string, boolean, Finding["result"]])[] = [
    ["https://mail.example.com", true, "ok"],
    ["http://mail.example.com", true, "fail"],
    ["http://localhost:8080", true, "fail"],
    ["https://127.0.0.1", true, "fail"],
    ["http://localhost:8080", false, "ok"],
  ];
  test.each(ADDRESSES)("is https where mail leaves this machine: %s, %s", (url, delivers, result) => {
    expect(checkBaseUrl(url, delivers).result).toBe(result);
  });
});

describe("TRUSTED_PROXIES", () => {
  const PLACES: readonly (readonly [string, string, boolean, Finding["result"]])[] = [
    ["https://mail.example.com", "0.0.0.0", false, "warn"],
    ["https://mail.example.com", "::", false, "warn"],
    ["https://mail.example.com", "10.0.0.5", false, "warn"],
    ["https://mail.example.com", "0.0.0.0", true, "ok"],
    ["https://mail.example.com", "127.0.0.1", false, "ok"],
    ["https://mail.example.com", "::1", false, "ok"],
    ["https://mail.example.com", "localhost", false, "ok"],
    ["http://localhost:8080", "0.0.0.0", false, "ok"],
  ];
  test.each(PLACES)(
    "says who the proxy is where one must stand on another machine: %s on %s, %s",
    (baseUrl, host, namesProxies, result) => {
      expect(checkProxy({ baseUrl, host, namesProxies }).result).toBe(result);
    },
  );
});

describe("SPF", () => {
  const RECORDS: readonly (readonly [readonly string[], Finding["result"]])[] = [
    [["v=spf1 include:_spf.example.net ~all", "some-verification=1"], "ok"],
    [["v=spf1"], "ok"],
    [[], "warn"],
    [["v=spf10 all"], "warn"],
    [["v=spf1 -all", "v=spf1 ~all"], "fail"],
    [["v=spf1 +all"], "fail"],
    [["v=spf1 a all"], "fail"],
    [["v=spf1 include:all.example ?all"], "ok"],
  ];
  test.each(RECORDS)("is one record that does not let everybody send: %j", (records, result) => {
    expect(checkSpf("example.com", records).result).toBe(result);
  });
});

describe("DMARC", () => {
  const at = (...records: string[]) => ({ name: "_dmarc.example.com", records });
  const RECORDS: readonly (readonly [ReturnType<typeof at> | null, Finding["result"]])[] = [
    [at("v=DMARC1; p=none; rua=mailto:ada@example.com"), "ok"],
    [at("v=DMARC1;p=reject"), "ok"],
    [null, "warn"],
    [at("v=DMARC1; p=maybe"), "fail"],
    [at("v=DMARC1; sp=none"), "fail"],
    [at("v=DMARC1; p=none", "v=DMARC1; p=reject"), "fail"],
  ];
  test.each(RECORDS)("is one record with a policy: %j", (found, result) => {
    expect(checkDmarc("example.com", found).result).toBe(result);
  });

  test("is looked for upwards, but not at the top level", () => {
    expect(dmarcNames("news.shop.example.com")).toEqual([
      "_dmarc.news.shop.example.com",
      "_dmarc.shop.example.com",
      "_dmarc.example.com",
    ]);
  });
});

describe("DKIM", () => {
  const RECORDS: readonly (readonly [readonly string[], string | null, Finding["result"]])[] = [
    [["v=DKIM1; k=rsa; p=MIIB"], "MIIB", "ok"],
    [["p=MI IB"], "MIIB", "ok"],
    [["v=DKIM1; p=MIIB"], null, "ok"],
    [["v=DKIM1; p=OTHER"], "MIIB", "fail"],
    [["v=DKIM1; p="], "MIIB", "fail"],
    [[], "MIIB", "fail"],
    [["p=A", "p=B"], null, "fail"],
  ];
  test.each(RECORDS)("is the public half of the key that signs: %j with %s", (records, key, result) => {
    expect(checkDkim("s1._domainkey.example.com", records, key).result).toBe(result);
  });
});

describe("DNS", () => {
  const refused = (code: string) => Promise.reject(Object.assign(new Error(code), { code }));
  const zone = (records: Record<string, string[][]>): Dns => ({
    txt: (name) => (records[name] ? Promise.resolve(records[name]) : refused("ENOTFOUND")),
    ns: () => Promise.resolve(["a.nic.example"]),
    mx: () => refused("ENOTFOUND"),
    addresses: () => refused("ENOTFOUND"),
  });
  const sender = { domain: "news.example.com", dkim: { name: "s1._domainkey.example.com", publicKey: null } };
  const results = async (dns: Dns) =>
    (await checkDns(dns, manualClock(), sender)).map(({ result, message }) => [result, message]);

  test("gives the records, long ones in pieces, DMARC from a domain above", async () => {
    const dns = zone({
      "news.example.com": [["v=spf1 ", "-all"]],
      "_dmarc.example.com": [["unrelated"], ["v=DMARC1; p=none"]],
      "s1._domainkey.example.com": [["v=DKIM1; p=", "MIIB"]],
    });
    expect(await results(dns)).toEqual([
      ["ok", "v=spf1 -all"],
      ["ok", "v=DMARC1; p=none (at _dmarc.example.com)"],
      ["ok", "there is a key"],
    ]);
  });

  test("says what is not there", async () => {
    expect((await results(zone({}))).map(([result]) => result)).toEqual(["warn", "warn", "fail"]);
  });

  const SILENT: readonly (readonly [string, Dns])[] = [
    ["no resolver: every name is unknown", { ...zone({}), ns: () => refused("ENOTFOUND") }],
    ["refused", { ...zone({}), ns: () => refused("ECONNREFUSED") }],
    ["a failing zone", { ...zone({}), txt: () => refused("ESERVFAIL") }],
  ];
  test.each(SILENT)("could not be asked, and no record is said to be missing: %s", async (_, dns) => {
    expect(await results(dns)).toEqual([["warn", "could not be asked"]]);
  });

  test("of one name that fails takes nothing from the others, and says whose fault it is", async () => {
    const dns = zone({ "news.example.com": [["v=spf1 -all"]], "_dmarc.example.com": [["v=DMARC1; p=none"]] });
    const failing = (name: string): Dns => ({
      ...dns,
      txt: (asked) => (asked === name ? refused("ESERVFAIL") : dns.txt(asked)),
    });
    expect(await results(failing("s1._domainkey.example.com"))).toEqual([
      ["ok", "v=spf1 -all"],
      ["ok", "v=DMARC1; p=none (at _dmarc.example.com)"],
      ["warn", "could not be asked"],
    ]);
    const bounces = { domain: "b.example.com", inboundSmtp: false, hasMailbox: false };
    const all = await checkDns(failing("b.example.com"), manualClock(), { ...sender, bounces });
    expect(all.map(({ check, advice }) => [check, advice]).at(-1)).toEqual([
      "DNS of b.example.com",
      "its name servers fail or are slow, for receivers of your mail too: ask whoever runs the DNS of this domain",
    ]);
    expect(all.length).toBe(4);
  });

  test("is not waited for beyond three seconds", async () => {
    const clock = manualClock();
    const asked = checkDns(
      { ...zone({}), txt: () => new Promise(() => {}), ns: () => new Promise(() => {}) },
      clock,
      sender,
    );
    clock.advance(3_000);
    expect((await asked).map(({ message }) => message)).toEqual(["could not be asked"]);
  });
});
