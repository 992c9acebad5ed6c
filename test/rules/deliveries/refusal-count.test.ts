import { describe, expect, test } from "bun:test";
import { RefusalCount, type AboutOne } from "#deliveries/sender/refusal-count.ts";
import { DAY } from "../../support/common/durations.ts";

const START = 1_700_000_000_000;
const ofRecipient = (message: number) => ({ message, isSenderTaken: true, urgency: "bulk" as const });
const ofSender = (message: number) => ({ message, isSenderTaken: false, urgency: "bulk" as const });
const accept = (count: RefusalCount, times: number): void => {
  for (let n = 0; n < times; n++) count.accepted();
};

describe("a refusal that reads like a fault of ours", () => {
  test("is about the recipient where the relay takes the others: put off twice, then failed", () => {
    const count = new RefusalCount();
    accept(count, 10);
    expect(count.judge(ofRecipient(1), START)).toBe("put off");
    accept(count, 10);
    expect(count.judge(ofRecipient(1), START)).toBe("put off");
    expect(count.judge(ofRecipient(1), START)).toBe("failed");
  });

  test("is about us where the relay takes nobody, however often it says so", () => {
    const count = new RefusalCount();
    for (let message = 1; message < 100; message++)
      expect(count.judge(ofRecipient(message % 10), START)).toBe("relay");
  });

  test("of one in a hundred never stops the relay", () => {
    const count = new RefusalCount();
    for (let message = 1; message <= 10_000; message++) {
      accept(count, 99);
      expect(count.judge(ofRecipient(message), START)).toBe("put off");
    }
  });

  test("of everybody, all of a sudden, is about us after four who are put off, and nobody has failed", () => {
    const count = new RefusalCount();
    accept(count, 300);
    const verdicts = Array.from({ length: 20 }, (_, n) => count.judge(ofRecipient(n), START));
    expect(verdicts).toEqual([...Array(4).fill("put off"), ...Array(16).fill("relay")]);
  });

  test("from somebody who waits says nothing about the relay", () => {
    const count = new RefusalCount();
    accept(count, 1);
    for (let message = 1; message < 100; message++)
      expect(count.judge({ ...ofRecipient(message), urgency: "awaited" }, START)).toBe("put off");
    expect(count.judge(ofRecipient(200), START)).toBe("put off");
  });

  test("of the sender is about us until the third, with others accepted meanwhile", () => {
    const count = new RefusalCount();
    accept(count, 10);
    expect(count.judge(ofSender(1), START)).toBe("relay");
    expect(count.judge(ofSender(1), START)).toBe("relay");
    accept(count, 1);
    expect(count.judge(ofSender(1), START)).toBe("failed");
  });

  test("with nobody to compare it with fails after a day", () => {
    const count = new RefusalCount();
    expect(count.judge(ofSender(1), START)).toBe("relay");
    expect(count.judge(ofSender(1), START + DAY - 1)).toBe("relay");
    expect(count.judge(ofSender(1), START + DAY)).toBe("failed");
  });
});

describe("a reply that reads as if it were about one message", () => {
  const verdicts = (count: RefusalCount, about: AboutOne, times: number, others = 0): boolean[] =>
    Array.from({ length: times }, () => count.takesNobody(about, "bulk", others));

  test.each([
    ["strike", 10],
    ["put off", 2],
  ] as const)("%s: is about us after %d in a row, and one for each message under way", (about, most) => {
    expect(verdicts(new RefusalCount(), about, most + 2)).toEqual([...Array(most).fill(false), true, true]);
    expect(verdicts(new RefusalCount(), about, most + 5, 4).indexOf(true)).toBe(most + 4);
    const count = new RefusalCount();
    for (let round = 0; round < 100; round++) {
      expect(verdicts(count, about, most)).not.toContain(true);
      count.accepted();
    }
  });

  test("makes nobody fail after that, while nobody is accepted", () => {
    const count = new RefusalCount();
    accept(count, 100);
    expect(verdicts(count, "strike", 11).at(-1)).toBe(true);
    expect(count.judge(ofRecipient(1), START)).toBe("relay");
  });

  test("is never about us for a strike of a request, and always if a request is put off", () => {
    const count = new RefusalCount();
    for (let times = 0; times < 100; times++) {
      expect(count.takesNobody("strike", "awaited", 0)).toBe(false);
      expect(count.takesNobody("put off", "awaited", 0)).toBe(true);
    }
  });
});
