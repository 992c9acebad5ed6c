/** A relay's address in parts, and back. */
import { describe, expect, test } from "bun:test";
import {
  isSameLogin,
  NEW_RELAY,
  readRelay,
  relayAddress,
  withSecurity,
  type RelayParts,
} from "#console/ui/screens/settings/mail/relay-parts.ts";
import { parseRelayUrls } from "#mail/smtp/relay/relay-address.ts";

const parts = (own: Partial<RelayParts>): RelayParts => ({ ...NEW_RELAY, host: "smtp.example.com", ...own });

describe("the address of a relay", () => {
  test.each<[string, Partial<RelayParts>]>([
    ["smtp://smtp.example.com:587/?requireTLS=true", {}],
    ["smtp://smtp.example.com:587", { security: "offered" }],
    ["smtps://smtp.example.com:465", { security: "tls", port: "465" }],
    [
      "smtp://ada:secret@smtp.example.com:25",
      { security: "offered", port: "25", user: "ada", password: "secret" },
    ],
    [
      "smtps://ada%40example.com:***@smtp.example.com:2525",
      { security: "tls", port: "2525", user: "ada@example.com", hasPassword: true },
    ],
    [
      "smtp://smtp.example.com:587/?requireTLS=true&maxConnections=5&name=mail.example.com",
      { options: "maxConnections=5&name=mail.example.com" },
    ],
    ["smtp://[2001:db8::1]:587", { security: "offered", host: "2001:db8::1" }],
  ])("%s is these parts, and they make it", (address, own) => {
    expect(readRelay(address)).toEqual(parts(own));
    expect(relayAddress(parts(own))).toBe(address);
  });

  test.each([
    ["smtp://a.example.com smtp://b.example.com"],
    ["https://smtp.example.com"],
    ["smtp://smtp.example.com/path"],
    ["smtp://ada@smtp.example.com"],
    ["smtp"],
  ])("%s has no such parts", (address) => expect(readRelay(address)).toBeNull());

  test("none is a new one", () => expect(readRelay(" ")).toEqual(NEW_RELAY));

  test.each(["a#b/c?d@e:f%g", "***", "pass word", "ä☃", "%41", "!'()*"])(
    "reaches the server with any user and password: %j",
    (text) => {
      const read = parseRelayUrls(relayAddress(parts({ user: text, password: text })));
      expect(read.ok && read.value[0]?.auth).toEqual({ user: text, pass: text });
    },
  );

  test("of a server without a login has none", () => {
    const read = parseRelayUrls(relayAddress(parts({ host: " smtp.example.com " })));
    expect(read.ok && read.value[0]).toMatchObject({
      host: "smtp.example.com",
      auth: null,
      requireTls: true,
    });
  });
});

test("another encryption has its usual port, unless one was chosen", () => {
  expect(withSecurity(parts({}), "tls").port).toBe("465");
  expect(withSecurity(parts({ security: "tls", port: "465" }), "offered").port).toBe("587");
  expect(withSecurity(parts({ port: "2525" }), "tls").port).toBe("2525");
});

test("a stored password counts for the same server and user only", () => {
  const stored = parts({ user: "ada", hasPassword: true });
  const same = [
    { host: "SMTP.example.com" },
    { security: "offered" },
    { options: "maxConnections=2" },
  ] as const;
  for (const change of same) expect(isSameLogin({ ...stored, ...change }, stored)).toBe(true);
  const others = [
    { host: "other.example.com" },
    { port: "25" },
    { user: "eve" },
    { security: "tls" },
  ] as const;
  for (const change of others) expect(isSameLogin({ ...stored, ...change }, stored)).toBe(false);
});
