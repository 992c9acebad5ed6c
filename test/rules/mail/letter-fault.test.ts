import { expect, test } from "bun:test";
import { faultSentence } from "#mail/letter/letter-fault.ts";
import { costMs } from "../../support/common/cpu-time.ts";

const sentence = (message: string): string => faultSentence({ part: "body", message, line: 3, column: null });

test("a fault is one sentence, however its message ends", () => {
  for (const message of ["tag missing", "tag missing.", "tag missing. \n", "tag missing..."])
    expect(sentence(message)).toBe("The body cannot be used in line 3: tag missing.");
  expect(sentence(" . ")).toBe("The body cannot be used in line 3: .");
});

test("a message with a long value in it is told in linear time", async () => {
  expect(await costMs(() => sentence(`width has invalid value: ${" ".repeat(60_000)}x`))).toBeLessThan(400);
});
