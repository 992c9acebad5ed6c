import { describe, expect, test } from "bun:test";
import { closestOf } from "#core/text/closest.ts";

const COMMANDS = ["list", "create", "revoke", "suppression", "import contacts"];

describe("the word that was meant", () => {
  test.each([
    ["lst", "list"],
    ["lsit", "list"],
    ["listt", "list"],
    ["LIST", "list"],
    ["revok", "revoke"],
    ["suppresion", "suppression"],
    ["supp", "suppression"],
    ["import-contact", "import contacts"],
  ])("%s is %s", (typed, meant) => expect(closestOf(typed, COMMANDS)).toBe(meant));

  test.each(["", "frobnicate", "li", "x".repeat(100_000)])("is not guessed from %p", (typed) =>
    expect(closestOf(typed, COMMANDS)).toBeNull(),
  );

  test("is found however its parts are joined", () =>
    expect(closestOf("MAILING_ADDRESS", ["mailingAddress", "fromName"])).toBe("mailingAddress"));

  test("is not guessed from a beginning that several share", () =>
    expect(closestOf("dkim", ["dkimDomain", "dkimSelector"])).toBeNull());

  test("is the nearest where several are near", () =>
    expect(closestOf("trackClick", ["trackOpens", "trackClicks"])).toBe("trackClicks"));
});
