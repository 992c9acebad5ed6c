import { readFileSync } from "node:fs";
import { describe, expect, test } from "bun:test";
import { domainOf, parseEmailAddress } from "#core/addresses/email-address.ts";
import { ADDRESS_CASES } from "../../support/common/corpora.ts";

type Case = { id: number; address: string; category: string };

function readCases(): Case[] {
  const xml = readFileSync(ADDRESS_CASES, "utf8");
  return [...xml.matchAll(/<test id="(\d+)">([\s\S]*?)<\/test>/g)].map(([, id, content]) => ({
    id: Number(id),
    address: decode(/<address>([\s\S]*?)<\/address>/.exec(content ?? "")?.[1] ?? ""),
    category: /<category>ISEMAIL_(\w+)<\/category>/.exec(content ?? "")?.[1] ?? "",
  }));
}

const NAMED: Record<string, string> = { lt: "<", gt: ">", quot: '"', apos: "'", amp: "&" };

/** Entities, then the corpus's own U+2400 + n for the control character n. */
function decode(xml: string): string {
  return xml
    .replace(/&(?:#x([0-9a-f]+)|#(\d+)|(\w+));/gi, (_, hex, decimal, name) =>
      name ? (NAMED[name] ?? "") : String.fromCodePoint(hex ? parseInt(hex, 16) : Number(decimal)),
    )
    .replace(/[\u2400-\u241f]/g, (symbol) => String.fromCharCode(symbol.charCodeAt(0) - 0x2400));
}

/** Why we refuse what isemail calls valid, perhaps with a warning. The first reason that fits counts. */
const NARROWER: [reason: string, holds: (address: string) => boolean][] = [
  ["quoted local part", (address) => address.startsWith('"')],
  ["comment", (address) => address.includes("(")],
  ["IP or domain literal", (address) => address.includes("@[")],
  ["blanks or line breaks inside", (address) => /\s/.test(address.trim())],
  ["no dot in the domain", (address) => !domainOf(address).includes(".")],
  ["last label all digits", (address) => /\.\d+$/.test(address.trim())],
  [
    "longer than 254, 64 or 63 characters",
    (address) => address.length > 254 || address.split(/[@.]/).some((part) => part.length > 63),
  ],
  ["a slash in the domain", (address) => domainOf(address).includes("/")],
];

/** By corpus id: what the narrower policy costs. */
const REFUSED_THOUGH_VALID: Record<string, number[]> = {
  "quoted local part": [42, 43, 45, 46, 48, 54, 55, 56, 58, 59, 60, 124, 125, 134, 138, 139],
  comment: [90, 92, 93, 95, 96, 97, 98, 121, 126, 140, 165],
  "IP or domain literal": [
    61, 63, 64, 65, 66, 67, 68, 69, 70, 71, 72, 73, 74, 75, 76, 77, 78, 79, 80, 81, 82, 83, 84, 112, 115, 116,
    117, 120, 159,
  ],
  "blanks or line breaks inside": [85, 86, 87],
  "no dot in the domain": [5, 166],
  "last label all digits": [23, 24],
  "longer than 254, 64 or 63 characters": [26, 28, 39, 40, 41],
  "a slash in the domain": [161],
};

/**
 * Called invalid, but only for a line break before or after the address, which trimming (docs/contract.md
 * "Contact") takes away. Nothing of it is stored.
 */
const VALID_ONCE_TRIMMED = [99, 127, 128, 132, 141, 142, 143, 145, 146, 147, 150, 151, 152, 154, 155, 156];

describe("the isemail cases", () => {
  const cases = readCases();
  const isAccepted = (address: string): boolean => parseEmailAddress(address).ok;

  test("are read whole", () => {
    expect(cases).toHaveLength(164);
    expect(cases.filter(({ category }) => category === "ERR").length).toBeGreaterThan(50);
    expect(cases.every(({ category }) => category !== "")).toBe(true);
  });

  test("that are called invalid are never accepted, but where trimming takes the fault away", () => {
    const accepted = cases.filter(({ category, address }) => category === "ERR" && isAccepted(address));
    expect(accepted.filter(({ address }) => address.trim() === address)).toEqual([]);
    for (const { address } of accepted)
      expect(parseEmailAddress(address)).toEqual({ ok: true, value: "test@iana.org" });
    expect(accepted.map(({ id }) => id)).toEqual(VALID_ONCE_TRIMMED);
  });

  test("that we accept are stored as plain addresses", () => {
    for (const { address } of cases) {
      const parsed = parseEmailAddress(address);
      if (!parsed.ok) continue;
      expect(parsed.value).toBe(address.trim().toLowerCase());
      expect(parsed.value).toMatch(/^[\x21-\x7e]{1,64}@[a-z0-9-]+(?:\.[a-z0-9-]+)+$/);
    }
  });

  test("that are called valid and that we refuse are refused for a reason we chose", () => {
    const refused: Record<string, number[]> = {};
    for (const { id, address, category } of cases) {
      if (category === "ERR" || isAccepted(address)) continue;
      const reason = NARROWER.find(([, holds]) => holds(address))?.[0] ?? "no reason";
      (refused[reason] ??= []).push(id);
    }
    expect(refused).toEqual(REFUSED_THOUGH_VALID);
  });
});
