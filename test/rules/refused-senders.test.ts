import { expect, test } from "bun:test";
import { RefusedSenders } from "#mail/smtp/relay/refused-senders.ts";

test("of many refused senders the last thousand are remembered", () => {
  const senders = new RefusedSenders();
  senders.accepted("good@example.com", 0);
  const refuse = (n: number) => senders.refused(`${n}@example.com`, "config", "553 not yours", 1);
  for (let n = 0; n < 1_000; n++) expect(refuse(n)).toBe(true);
  refuse(0);
  refuse(1_000);
  const known = [0, 1, 2, 1_000].filter((n) => senders.wordsOn(`${n}@example.com`) !== null);
  expect(known).toEqual([0, 2, 1_000]);
});
