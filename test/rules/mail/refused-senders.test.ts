import { expect, test } from "bun:test";
import { RefusedSenders } from "#mail/smtp/relay/refused-senders.ts";

test("of many refused senders the last thousand are remembered", () => {
  const senders = new RefusedSenders();
  senders.accepted("good@example.com", 0);
  const refusal = { kind: "config", words: "553 not yours", isTaken: false } as const;
  const refuse = (n: number) => senders.refused(`${n}@example.com`, refusal, 1);
  for (let n = 0; n < 1_000; n++) expect(refuse(n)).toBe(true);
  refuse(0);
  refuse(1_000);
  const known = [0, 1, 2, 1_000].filter((n) => senders.wordsOn(`${n}@example.com`) !== null);
  expect(known).toEqual([0, 2, 1_000]);
});

test("where the relay took the sender, it is enough that it accepted another one at any time", () => {
  const refusal = { kind: "config", words: "550 relaying denied", isTaken: true } as const;
  const senders = new RefusedSenders();
  expect(senders.refused("new@example.com", refusal, 1)).toBe(false);
  senders.accepted("good@example.com", 2);
  const anHourLater = 3_600_000;
  expect(senders.refused("new@example.com", { ...refusal, isTaken: false }, anHourLater)).toBe(false);
  expect(senders.refused("new@example.com", refusal, anHourLater)).toBe(true);
});
