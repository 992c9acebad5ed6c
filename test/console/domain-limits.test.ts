/** Limits of domains as lines, and back. */
import { describe, expect, test } from "bun:test";
import { limitLines, readLimits } from "../../src/console/ui/screens/settings/limits/domain-limits.ts";
import { parseDomainLimits } from "#workspaces/domain-limits.ts";

describe("limits of domains", () => {
  test("are lines that the command line takes too, and come back as they were", () => {
    const limits = {
      "gmail.com,googlemail.com": { perHour: 2000, connections: 5 },
      "gmx.de": { perHour: 500 },
      "example.com": { connections: 1 },
    };
    const lines = limitLines(limits);
    expect(lines).toBe(
      "gmail.com,googlemail.com 2000/hour 5 connections\ngmx.de 500/hour\nexample.com 1 connections",
    );
    expect(readLimits(lines)).toEqual({ limits });
    expect(parseDomainLimits(lines.replaceAll("\n", "; ")).ok).toBe(true);
    expect([limitLines(null), readLimits(" \n")]).toEqual(["", { limits: null }]);
  });

  test.each(["gmail.com", "gmail.com 5", "gmail.com 5 / hour", "gmail.com fast", "a b 5/hour"])(
    "the line %p is named as unreadable",
    (line) => expect(readLimits(`gmx.de 5/hour\n${line}`)).toEqual({ unreadable: line }),
  );
});
