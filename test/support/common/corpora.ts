/** Public collections of what breaks mail software, under `test/fixtures` with their licences. */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";

const FIXTURES = resolve(import.meta.dir, "../../fixtures");

/** 284 real bounces, complaints and auto-replies, and `expected.json`: sisimai's verdict of each. */
export const BOUNCES = `${FIXTURES}/bounces`;

/** The address validity cases of isemail (Dominic Sayers), which judge by the whole of RFC 5321 and 5322. */
export const ADDRESS_CASES = `${FIXTURES}/email-addresses/tests.xml`;

/** The Big List of Naughty Strings. */
export function naughtyStrings(): string[] {
  return JSON.parse(readFileSync(`${FIXTURES}/naughty-strings/blns.json`, "utf8")) as string[];
}
