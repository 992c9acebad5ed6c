import { describe, expect, test } from "bun:test";
import { unwrap } from "#core/errors/errors.ts";
import { clientAddress, parseTrustedProxies } from "#http/client/client-address.ts";

const isTrusted = unwrap(parseTrustedProxies("loopback, 10.0.0.0/8, 2001:db8:1::/48"));
const client = (forwardedFor: string | null, peer = "127.0.0.1") =>
  clientAddress(peer, forwardedFor, isTrusted);

describe("X-Forwarded-For", () => {
  test.each([
    ["plain", "192.0.2.7", "192.0.2.7"],
    ["IPv4 with a port", "192.0.2.7:51844", "192.0.2.7"],
    ["IPv4 in quotes", '"192.0.2.7"', "192.0.2.7"],
    ["IPv4 with a port in quotes", '"192.0.2.7:51844"', "192.0.2.7"],
    ["IPv6", "2001:db8:2::7", "2001:db8:2::7"],
    ["IPv6 written long", "2001:0DB8:0002:0:0:0:0:7", "2001:db8:2::7"],
    ["IPv6 in brackets", "[2001:db8:2::7]", "2001:db8:2::7"],
    ["IPv6 in brackets with a port", "[2001:db8:2::7]:443", "2001:db8:2::7"],
    ["IPv6 in brackets, port and quotes", '"[2001:db8:2::7]:443"', "2001:db8:2::7"],
    ["IPv4 mapped into IPv6", "[::ffff:192.0.2.7]:80", "192.0.2.7"],
    ["several", '198.51.100.1:1, "[2001:db8:2::7]:2"', "2001:db8:2::7"],
    ["trusted ones on the right", '192.0.2.7:1, 10.1.2.3:8080, "[2001:db8:1::5]:2"', "192.0.2.7"],
  ])("%s is read", (_, header, expected) => {
    expect(client(header)).toBe(expected);
  });

  test.each([
    "",
    "unknown",
    "_hidden",
    "192.0.2",
    "192.0.2.7:x",
    "192.0.2.7:123456",
    "192.0.2.7 1",
    "192.0.2.256",
    "0x7f.1",
    "[192.0.2.7]",
    "[2001:db8:2::7",
    "2001:db8:2::7]:443",
    "[2001:db8:2::7]x",
    "[]:80",
    ":80",
    '""',
  ])("what is no address (%j) ends the walk at the last good one", (entry) => {
    expect(client(`192.0.2.1, ${entry}, 10.0.0.9`)).toBe("10.0.0.9");
    expect(client(entry)).toBe("127.0.0.1");
  });

  test("counts only from a trusted peer, and only up to the first stranger", () => {
    expect(client("192.0.2.7", "203.0.113.9")).toBe("203.0.113.9");
    expect(client("1.1.1.1, 203.0.113.9:99, 10.0.0.1:5")).toBe("203.0.113.9");
    expect(client(null)).toBe("127.0.0.1");
  });
});
