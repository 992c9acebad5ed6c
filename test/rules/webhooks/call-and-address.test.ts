import { describe, expect, test } from "bun:test";
import { Webhook } from "standardwebhooks";
import { judgeStatus } from "#webhooks/calls/retry.ts";
import { attemptsKept, type Attempt } from "#webhooks/delivery.ts";
import { signWebhook } from "#webhooks/calls/signature.ts";
import { isForbiddenAddress, isForbiddenHost, parseWebhookUrl } from "#webhooks/calls/target.ts";

describe("the signature is that of Standard Webhooks", () => {
  /** The vector that the libraries of Standard Webhooks test against. */
  const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const BODY = '{"test": 2432232314}';
  const SIGNED = signWebhook({ id: "msg_p5jXN8AQM9LWM0D4loKWxJek", at: 1_614_265_330_999, body: BODY }, [
    SECRET,
  ]);

  test("as in its published example", () => {
    expect(SIGNED).toEqual({
      "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
      "webhook-timestamp": "1614265330",
      "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    });
  });

  test.each(["", "{}", BODY, "é🎉", "x".repeat(70_000)])("as its reference library signs %.20j", (body) => {
    const at = 1_800_000_000_123;
    const signed = signWebhook({ id: "msg_1", at, body }, [SECRET]);
    expect(signed["webhook-signature"]).toBe(new Webhook(SECRET).sign("msg_1", new Date(at), body));
  });
});

describe("the log of a delivery", () => {
  const attempt = (at: number, answer: string): Attempt => ({
    at,
    status: 503,
    answer,
    error: null,
    durationMs: 7,
  });
  const tried = (count: number, answer: string) =>
    Array.from({ length: count }, (_, n) => n).reduce<Attempt[]>(
      (log, n) => attemptsKept([...log, attempt(n, answer)]),
      [],
    );

  test("has all tries of three days with their answers", () => {
    const log = tried(13, "<p>busy</p>\n".repeat(190).slice(0, 2_048));
    expect(log.map(({ at, answer }) => [at, answer.length])).toEqual(
      Array.from({ length: 13 }, (_, n) => [n, 2_048]),
    );
  });

  test.each(["x", '"', "\n", "\\", "é"])(
    "of many replays it has the newest 50 attempts, and a size: %j",
    (character) => {
      const log = tried(60, character.repeat(2_048));
      expect(log.map(({ at }) => at)).toEqual(Array.from({ length: 50 }, (_, n) => n + 10));
      const withAnswer = log.filter(({ answer }) => answer !== "");
      expect(withAnswer.length).toBeGreaterThan(6);
      expect(log.slice(-withAnswer.length)).toEqual(withAnswer);
      // A page shows a hundred: it has 4 MB at most.
      expect(JSON.stringify(log).length).toBeLessThan(40_000);
    },
  );
});

describe("the address of a webhook", () => {
  test.each([
    ["https://example.com/hook?a=1", "https://example.com/hook?a=1"],
    [" http://example.com ", "http://example.com/"],
    ["https://example.com:8443/x#part", "https://example.com:8443/x"],
    ["HTTPS://EXAMPLE.COM/A", "https://example.com/A"],
    ["https://bücher.example/", "https://xn--bcher-kva.example/"],
    ["http://0x7f.1/", "http://127.0.0.1/"],
    ["http://[::1]/", "http://[::1]/"],
  ])("%s is %s", (text, href) => {
    const url = parseWebhookUrl(text);
    expect(url.ok && url.value.href).toBe(href);
  });

  test.each([
    [""],
    ["example.com"],
    ["//example.com/"],
    ["ftp://example.com/"],
    ["file:///etc/passwd"],
    ["javascript:alert(1)"],
    ["https://"],
    ["http://ada@example.com/"],
    ["http://ada:secret@example.com/"],
    ["http://:secret@example.com/"],
    ["http://exa mple.com/"],
    ["http://[::1/"],
    ["http://1.2.3.4.5/"],
    [`https://example.com/${"a".repeat(2048)}`],
  ])("%s is refused", (text) => {
    expect(parseWebhookUrl(text).ok).toBe(false);
  });

  test.each([
    ["http://localhost/", true],
    ["http://LOCALHOST:8080/", true],
    ["http://localhost./", true],
    ["http://app.localhost/", true],
    ["http://127.0.0.1/", true],
    ["http://127.1/", true],
    ["http://2130706433/", true],
    ["http://0x7f000001/", true],
    ["http://0177.0.0.1/", true],
    ["http://0/", true],
    ["http://169.254.169.254/latest/meta-data/", true],
    ["http://0xa9.0xfe.0xa9.0xfe/", true],
    ["http://[::]/", true],
    ["http://[::1]/", true],
    ["http://[::ffff:127.0.0.1]/", true],
    ["http://[::ffff:a9fe:a9fe]/", true],
    ["http://[fd00::1]/", true],
    ["http://①②⑦.⓪.⓪.①/", true],
    ["http://8.8.8.8/", false],
    ["http://[2606:4700::1111]/", false],
    ["http://example.com/", false],
    ["http://localhost.example.com/", false],
    ["http://notlocalhost/", false],
  ])("%s leads plainly to this machine or network: %p", (text, forbidden) => {
    const url = parseWebhookUrl(text);
    expect(url.ok && isForbiddenHost(url.value)).toBe(forbidden);
  });
});

describe("addresses a webhook never connects to", () => {
  test.each([
    ["unspecified", ["0.0.0.0", "0.1.2.3", "::", "::0"]],
    ["loopback", ["127.0.0.1", "127.255.255.254", "::1"]],
    [
      "private",
      ["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.255"],
    ],
    ["unique local", ["fc00::1", "fd12:3456::1", "fdff:ffff::1"]],
    ["link-local", ["169.254.0.1", "169.254.169.254", "fe80::1", "febf::1"]],
    ["old site-local", ["fec0::1", "feff::1"]],
    [
      "cloud metadata and a cloud's own machinery",
      [
        "168.63.129.16",
        "169.254.169.254",
        "169.254.170.2",
        "100.100.100.200",
        "192.0.0.192",
        "161.26.0.10",
        "166.8.0.1",
        "166.11.255.255",
        "fd00:ec2::254",
        "fd20:ce::254",
      ],
    ],
    [
      "the same inside IPv6",
      [
        "::ffff:168.63.129.16",
        "::ffff:0:168.63.129.16",
        "64:ff9b::168.63.129.16",
        "2002:a83f:8110::1",
        "64:ff9b::100.64.0.1",
        "2002:6440:1::",
      ],
    ],
    ["carrier-grade NAT", ["100.64.0.1", "100.127.255.255"]],
    ["multicast", ["224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1"]],
    ["broadcast and reserved", ["255.255.255.255", "240.0.0.1", "254.1.2.3"]],
    ["special-purpose", ["192.0.0.1", "192.0.0.170", "192.88.99.1", "198.18.0.1", "198.19.255.255"]],
    ["documentation", ["192.0.2.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"]],
    [
      "discard, benchmarking, ORCHID, SRv6",
      ["100::1", "100:0:0:1::1", "2001:2::1", "2001:5::1", "2001:10::1", "2001:20::1", "5f00::1"],
    ],
    [
      "IPv4-mapped",
      [
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::ffff:a9fe:a9fe",
        "0:0:0:0:0:ffff:7f00:1",
        "::FFFF:192.168.1.1",
      ],
    ],
    ["IPv4-compatible", ["::127.0.0.1", "::10.0.0.1", "::808:808"]],
    ["IPv4-translated", ["::ffff:0:127.0.0.1", "::ffff:0:10.0.0.1"]],
    [
      "NAT64",
      [
        "64:ff9b::127.0.0.1",
        "64:ff9b::a00:1",
        "64:ff9b::169.254.169.254",
        "64:ff9b:1::1",
        "64:ff9b:1::8.8.8.8",
      ],
    ],
    ["6to4", ["2002:7f00:1::", "2002:a00:1::1", "2002:c0a8:101::1", "2002:a9fe:a9fe::"]],
    ["Teredo", ["2001:0:4136:e378:8000:63bf:3fff:fdd2", "2001::1", "2001:0:7f00:1::"]],
    [
      "no address at all",
      [
        "",
        "example.com",
        "127.0.0.1:80",
        "[::1]",
        "fe80::1%eth0",
        "8.8.8.8 ",
        "8.8.8.8/8",
        "256.1.1.1",
        "::g",
      ],
    ],
  ])("%s", (_, addresses) => {
    expect(addresses.filter((ip) => !isForbiddenAddress(ip))).toEqual([]);
  });

  test("everything else it may", () => {
    const open = [
      "1.1.1.1",
      "8.8.8.8",
      "9.255.255.255",
      "11.0.0.0",
      "100.63.255.255",
      "100.128.0.0",
      "126.255.255.255",
      "128.0.0.1",
      "161.25.255.255",
      "161.27.0.0",
      "166.7.255.255",
      "166.12.0.0",
      "168.63.129.15",
      "168.63.129.17",
      "169.253.255.255",
      "169.255.0.0",
      "172.15.255.255",
      "172.32.0.0",
      "192.167.255.255",
      "192.169.0.0",
      "198.17.255.255",
      "198.20.0.0",
      "223.255.255.255",
      "2606:4700::1111",
      "2a00:1450:4001::1",
      "2400:cb00::1",
      "::ffff:8.8.8.8",
      "64:ff9b::8.8.8.8",
      "2002:808:808::1",
    ];
    expect(open.filter(isForbiddenAddress)).toEqual([]);
  });

  test("the edges of every IPv4 block are where they should be", () => {
    const BLOCKS: readonly (readonly [string, number])[] = [
      ["0.0.0.0", 8],
      ["10.0.0.0", 8],
      ["100.64.0.0", 10],
      ["127.0.0.0", 8],
      ["169.254.0.0", 16],
      ["172.16.0.0", 12],
      ["192.168.0.0", 16],
      ["198.18.0.0", 15],
      ["224.0.0.0", 3],
    ];
    const text = (n: number): string => [24, 16, 8, 0].map((shift) => (n >>> shift) & 255).join(".");
    for (const [base, bits] of BLOCKS) {
      const first = base.split(".").reduce((n, part) => n * 256 + Number(part), 0);
      const last = first + 2 ** (32 - bits) - 1;
      expect([first, last].map((n) => [text(n), isForbiddenAddress(text(n))])).toEqual(
        [first, last].map((n) => [text(n), true]),
      );
      if (first > 0)
        expect([text(first - 1), isForbiddenAddress(text(first - 1))]).toEqual([text(first - 1), false]);
      if (last < 2 ** 32 - 1)
        expect([text(last + 1), isForbiddenAddress(text(last + 1))]).toEqual([text(last + 1), false]);
    }
  });
});

describe("an answer of a receiver", () => {
  test.each([
    [200, "delivered"],
    [204, "delivered"],
    [299, "delivered"],
    [199, "retry"],
    [301, "retry"],
    [302, "retry"],
    [400, "retry"],
    [401, "retry"],
    [404, "retry"],
    [408, "retry"],
    [410, "gone"],
    [429, "retry"],
    [500, "retry"],
    [503, "retry"],
  ] as const)("%d means: %s", (status, verdict) => {
    expect(judgeStatus(status)).toBe(verdict);
  });
});
