import { expect, test } from "bun:test";
import { present } from "#core/present.ts";
import { domainLimitsJson, formatDomainLimits, readDomainLimits } from "#workspaces/domain-limits.ts";
import { parseSetting } from "#workspaces/settings/settings.ts";
import { parseSettingsChange } from "#workspaces/settings/settings-json.ts";
import { costMs } from "../../support/common/cpu-time.ts";

const limitsOf = (text: string) => {
  const parsed = parseSetting("domainLimits", text);
  return parsed.ok ? parsed.value.domainLimits : parsed.refusal.message;
};

const WRITTEN = "gmail.com,googlemail.com 2000/hour 5 connections; gmx.de 500/hour; web.de 1 connection";
const LIMITS = [
  { domains: ["gmail.com", "googlemail.com"], perHour: 2000, connections: 5 },
  { domains: ["gmx.de"], perHour: 500, connections: null },
  { domains: ["web.de"], perHour: null, connections: 1 },
];
const JSON_FORM = {
  "gmail.com,googlemail.com": { perHour: 2000, connections: 5 },
  "gmx.de": { perHour: 500 },
  "web.de": { connections: 1 },
};

test("limits are read in both forms, and written as they were", () => {
  expect(limitsOf(WRITTEN)).toEqual(LIMITS);
  expect(limitsOf(JSON.stringify(JSON_FORM))).toEqual(LIMITS);
  expect(formatDomainLimits(LIMITS)).toBe(WRITTEN);
  expect(domainLimitsJson(LIMITS)).toEqual(JSON_FORM);
  expect(limitsOf("off")).toBeNull();
});

test("domains are compared as addresses are stored: in lower case, and as A-labels", () => {
  expect(limitsOf(" GMail.COM,Bücher.example   7/hour ;x.de 2 connections ")).toEqual([
    { domains: ["gmail.com", "xn--bcher-kva.example"], perHour: 7, connections: null },
    { domains: ["x.de"], perHour: null, connections: 2 },
  ]);
});

test.each([
  ["gmail 5/hour", '"gmail" is no domain such as gmail.com.'],
  ["gmail.com", '"gmail.com" has no limit: give messages an hour, connections, or both.'],
  ["gmail.com 0/hour", 'perHour of "gmail.com" must be a whole number from 1 to 10000000.'],
  ["gmail.com 1001 connections", 'connections of "gmail.com" must be a whole number from 1 to 1000.'],
  ["gmail.com five/hour", '"gmail.com" needs such as `2000/hour`, `5 connections`, or both.'],
  ["gmail.com 5/hour 5", '"gmail.com" needs such as `2000/hour`, `5 connections`, or both.'],
  ["gmail.com 5 connections 7/hour", '"gmail.com" needs such as `2000/hour`, `5 connections`, or both.'],
  ["gmx.de,gmail.com 5/hour; GMX.de 6/hour", '"gmx.de" has two limits. Give it one.'],
  ["gmx.de,gmx.de 5/hour", '"gmx.de" has two limits. Give it one.'],
  ["gmx.de 5/hour;", '"" is no domain such as gmail.com.'],
  ["{", "it begins like JSON, and is none."],
  ['{"gmx.de":{"perMinute":5}}', '"gmx.de" has "perMinute": only `perHour` and `connections` are known.'],
  [Array.from({ length: 101 }, (_, n) => `d${n}.de 1/hour`).join("; "), "it has 101 limits: at most 100."],
])("what is no limit is refused, and the place is named: %p", (text, why) => {
  expect(limitsOf(text)).toEndWith(`or off: ${why}`);
});

test.each([
  [{}, "it names no domain: to limit nothing, switch it off."],
  [[], 'it must be an object such as {"gmail.com":{"perHour":2000}}.'],
  [{ "gmx.de": 5 }, '"gmx.de" must be an object with `perHour`, `connections`, or both.'],
  [{ "gmx.de": { perHour: 1.5 } }, 'perHour of "gmx.de" must be a whole number from 1 to 10000000.'],
  [{ "gmx.de": { perHour: "5" } }, 'perHour of "gmx.de" must be a whole number from 1 to 10000000.'],
])("so it is in the API: %p", (domainLimits, why) => {
  const change = parseSettingsChange({ domainLimits });
  expect(change.ok ? "" : change.refusal.message).toEndWith(`or null: ${why}`);
});

test("more domains than are allowed are refused before they are read, on both ways", async () => {
  const domains = Array.from({ length: 30_000 }, (_, n) => `${n}.de`).join(",");
  let answers: unknown[] = [];
  const read = () => {
    answers = [
      limitsOf(`${domains} 1/hour`),
      readDomainLimits({ [domains.slice(0, 60_000)]: { perHour: 1 } }),
    ];
  };
  expect(await costMs(read)).toBeLessThan(400);
  const tooMany = '"0.de" and others are too many: at most 50 together.';
  expect(answers).toEqual([
    expect.stringContaining(tooMany),
    { ok: false, refusal: { code: "VALIDATION_ERROR", message: tooMany } },
  ]);
});

test("50 domains together are none too many", () => {
  const domains = Array.from({ length: 50 }, (_, n) => `${n}.de`);
  const read = readDomainLimits({ [domains.join(",")]: { perHour: 1 } });
  expect(read.ok && read.value[0]?.domains).toEqual(domains);
});

test("a request's names have a size, because names of hosts take long to read", () => {
  const limits = Object.fromEntries(
    Array.from({ length: 100 }, (_, n) => [`${n}.${"\u3300".repeat(240)}.de,`.repeat(10), { perHour: 1 }]),
  );
  const read = readDomainLimits(limits);
  expect(read.ok ? "" : read.refusal.message).toEndWith("characters: at most 65536.");
});

test("a limit that is null is none", () => {
  const read = readDomainLimits({ "gmx.de": { perHour: 5, connections: null } });
  expect(present(read.ok ? read.value[0] : null, "limit")).toEqual({
    domains: ["gmx.de"],
    perHour: 5,
    connections: null,
  });
});
