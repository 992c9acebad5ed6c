import { describe, expect, test } from "bun:test";
import { checkBounceDomain, type BounceDomainRecords } from "#doctor/dns/bounce-domain.ts";

const GOOD: BounceDomainRecords = {
  domain: "bounces.example.com",
  fromDomain: "example.com",
  dmarcAt: "example.com",
  spf: ["v=spf1 include:relay.example.net ~all"],
  mx: ["mail.example.com"],
  leadsHere: true,
  hasMailbox: false,
};
const results = (change: Partial<BounceDomainRecords>) =>
  checkBounceDomain({ ...GOOD, ...change }).map(({ id, result }) => `${id} ${result}`);

describe("the domain that reports come to", () => {
  test("is well with SPF, under the sender's domain, with an MX that leads here", () => {
    expect(results({})).toEqual(["bounce_spf ok", "bounce_alignment ok", "bounce_mx ok"]);
  });

  test.each<[string, Partial<BounceDomainRecords>, string]>([
    ["no SPF", { spf: [] }, "bounce_spf warn"],
    ["SPF for everybody", { spf: ["v=spf1 +all"] }, "bounce_spf fail"],
    ["another organization", { domain: "bounces.example.net" }, "bounce_alignment warn"],
    ["a name that only ends alike", { domain: "myexample.com" }, "bounce_alignment warn"],
    ["a sister of the sender's domain", { fromDomain: "shop.example.com" }, "bounce_alignment ok"],
    [
      "a sister without DMARC above",
      { fromDomain: "shop.example.com", dmarcAt: null },
      "bounce_alignment warn",
    ],
    [
      "the domain above the sender's",
      { domain: "example.com", fromDomain: "a.example.com" },
      "bounce_alignment ok",
    ],
    ["no MX", { mx: [] }, "bounce_mx fail"],
    ["a null MX (RFC 7505)", { mx: ["."] }, "bounce_mx fail"],
    ["an MX elsewhere, and INBOUND_SMTP here", { leadsHere: false }, "bounce_mx warn"],
    ["an MX elsewhere, and a mailbox there", { leadsHere: null, hasMailbox: true }, "bounce_mx ok"],
    ["an MX elsewhere, and nobody who reads its mail", { leadsHere: null }, "bounce_mx warn"],
  ])("with %s", (_, change, expected) => {
    expect(results(change)).toContain(expected);
  });

  test("each that is not well says what to do", () => {
    const found = checkBounceDomain({ ...GOOD, domain: "b.example.net", spf: [], mx: [] });
    expect(found.map(({ advice }) => advice === null)).toEqual([false, false, false]);
  });
});
