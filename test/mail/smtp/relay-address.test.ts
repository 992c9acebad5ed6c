import { describe, expect, test } from "bun:test";
import { parseRelayUrls, relayLabel, type RelayAddress } from "#mail/smtp/relay/relay-address.ts";

const plain: RelayAddress = {
  host: "mail.example.com",
  port: 587,
  secure: false,
  auth: null,
  maxConnections: 10,
  name: null,
  requireTls: false,
  ignoreTls: false,
  tls: { rejectUnauthorized: true, servername: null },
};

describe("SMTP_URL", () => {
  const urls: [text: string, relay: Partial<RelayAddress>][] = [
    ["smtp://mail.example.com", {}],
    ["smtp://MAIL.example.com:25/", { port: 25 }],
    ["smtps://mail.example.com", { port: 465, secure: true }],
    [
      "smtp://ada:p%40ss%2Fw%C3%B6rd+1@mail.example.com:2525",
      { port: 2525, auth: { user: "ada", pass: "p@ss/wörd+1" } },
    ],
    ["smtp://ada%40example.com:x@mail.example.com", { auth: { user: "ada@example.com", pass: "x" } }],
    [
      "smtp://mail.example.com/?maxConnections=3&requireTLS=true&name=out.example.com",
      { maxConnections: 3, requireTls: true, name: "out.example.com" },
    ],
    ["smtp://127.0.0.1:1025?ignoreTLS=true", { host: "127.0.0.1", port: 1025, ignoreTls: true }],
    ["smtp://[::1]:1025", { host: "::1", port: 1025 }],
    [
      "smtp://mail.example.com?requireTLS=false&tls.rejectUnauthorized=false",
      { tls: { rejectUnauthorized: false, servername: null } },
    ],
    [
      "smtps://10.0.0.7?tls.servername=mail.example.com",
      {
        host: "10.0.0.7",
        port: 465,
        secure: true,
        tls: { rejectUnauthorized: true, servername: "mail.example.com" },
      },
    ],
  ];
  test.each(urls)("%s is understood", (text, relay) => {
    expect(parseRelayUrls(text)).toEqual({ ok: true, value: [{ ...plain, ...relay }] });
  });

  test("several relays keep their order", () => {
    const result = parseRelayUrls("  smtp://a.example.com smtps://b.example.com\n smtp://c.example.com:25 ");
    expect(result.ok && result.value.map(relayLabel)).toEqual([
      "a.example.com:587",
      "b.example.com:465",
      "c.example.com:25",
    ]);
  });

  const refused: [text: string, why: RegExp][] = [
    ["", /empty/],
    ["mail.example.com", /no URL/],
    ["http://mail.example.com", /smtp:\/\/ or smtps:/],
    ["smtp://", /host/],
    ["smtp://mail_!.example.com", /host|no URL/],
    ["smtp://a.example.com,smtp://b.example.com", /by spaces/],
    ["smtp://mail.example.com:0", /port/],
    ["smtp://mail.example.com:465", /smtps/],
    ["smtp://mail.example.com:99999", /no URL/],
    ["smtp://hunter2@mail.example.com", /both/],
    ["smtp://ada:hunter2%zz@mail.example.com", /%25/],
    ["smtp://ada:hun/ter2@mail.example.com", /no URL|Percent-encode|host/],
    ["smtp://mail.example.com/hunter2", /Percent-encode/],
    ["smtp://mail.example.com#hunter2", /Percent-encode/],
    ["smtp://mail.example.com?maxConections=3", /"maxConections" is not known/],
    ["smtp://ada:12?hunter2@mail.example.com", /after the \? is not known/],
    ["smtp://mail.example.com?maxConnections=0", /maxConnections/],
    ["smtp://mail.example.com?maxConnections=many", /maxConnections/],
    ["smtp://mail.example.com?requireTLS=yes", /requireTLS/],
    ["smtp://mail.example.com?requireTLS=true&ignoreTLS=true", /contradicts/],
    ["smtps://mail.example.com?ignoreTLS=true", /contradicts/],
    ["smtp://mail.example.com?name=a%0D%0Ab", /name/],
    ["smtp://mail.example.com?name=a&name=b", /twice/],
    ["smtp://a.example.com http://ada:hunter2@b.example.com", /relay 2/],
  ];
  test.each(refused)("%s is refused with a reason that repeats no secret", (text, why) => {
    const result = parseRelayUrls(text);
    expect(result.ok).toBe(false);
    if (result.ok) return;
    expect(result.refusal.message).toMatch(why);
    expect(result.refusal.message).not.toContain("hunter2");
  });

  test("a label shows host and port and nothing else", () => {
    const result = parseRelayUrls("smtp://ada:hunter2@[::1]:25 smtp://ada:hunter2@mail.example.com");
    expect(result.ok && result.value.map(relayLabel)).toEqual(["[::1]:25", "mail.example.com:587"]);
  });
});
