import { afterEach, describe, expect, test } from "bun:test";
import { createPublicKey, generateKeyPairSync, verify, type KeyObject } from "node:crypto";
import { systemClock, type Clock } from "#core/time/clock.ts";
import { createLog } from "#log.ts";
import { signNow } from "#mail/dkim/rsa-signature.ts";
import { signatureThreads, type Signatures } from "#mail/dkim/threads/signature-threads.ts";
import { manualClock } from "../../support/common/manual-clock.ts";
import { KEY } from "../../support/sending/dkim.ts";
import { eventually } from "../../support/common/eventually.ts";

const MANY = 24;
const { privateKey: key } = KEY;
const texts = (from = 0): string[] => Array.from({ length: MANY }, (_, n) => `text ${from + n}\r\n`);

const running: Signatures[] = [];
afterEach(() => running.splice(0).forEach(({ close }) => close()));

/** Threads, how many were started, and what was logged of them. */
function threads(most = 2, clock: Clock = systemClock) {
  const lines: string[] = [];
  const log = createLog({ level: "info", format: "json", clock, write: (line) => lines.push(line) });
  const started: Worker[] = [];
  const child = new URL("../../support/sending/signing-thread-child.ts", import.meta.url).href;
  const startThread = (): Worker => {
    const worker = new Worker(child, { ref: false });
    started.push(worker);
    return worker;
  };
  const signatures = signatureThreads(most, { startThread, clock, log });
  running.push(signatures);
  const signAll = (wanted: readonly string[], by: KeyObject = key) =>
    Promise.all(wanted.map((text) => signatures.sign(text, by)));
  return { ...signatures, signAll, started, lines };
}

const right = (wanted: readonly string[]): string[] => wanted.map((text) => signNow(text, key));

test("a few texts at once need no thread", async () => {
  const { signAll, started } = threads();
  for (let time = 0; time < 3; time++) {
    const few = texts(time).slice(0, 3);
    expect(await signAll(few)).toEqual(right(few));
  }
  expect(started).toEqual([]);
});

test.each([1, 2, 3])("many are signed in threads, each its own: %d", async (most) => {
  const { signAll, started, lines } = threads(most);
  for (const wanted of [texts(), texts(MANY)]) expect(await signAll(wanted)).toEqual(right(wanted));
  expect([started.length, lines]).toEqual([most, []]);
});

test("each text is signed by the key that was asked for", async () => {
  const { sign } = threads();
  const keys = [key, generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey];
  const signed = texts().map(async (text, n) => {
    const privateKey = keys[n % keys.length]!;
    const signature = Buffer.from(await sign(text, privateKey), "base64");
    return verify("RSA-SHA256", Buffer.from(text), createPublicKey(privateKey), signature);
  });
  expect(new Set(await Promise.all(signed))).toEqual(new Set([true]));
});

describe("a thread that fails", () => {
  test.each(["exit-the-thread", "throw-in-the-thread"])(
    "takes no text along, and another one goes on: %s",
    async (how) => {
      const { signAll, started, lines } = threads(1);
      const wanted = [...texts(), how, ...texts(MANY)];
      expect(await signAll(wanted)).toEqual(right(wanted));
      expect(lines.join()).toContain("a signature thread ended");
      expect([started.length, lines.length]).toEqual([2, 1]);
    },
  );

  test("three times: then the pool signs", async () => {
    const { signAll, started, lines } = threads(1);
    for (let time = 0; time < 3; time++) {
      const wanted = [...texts(), "exit-the-thread"];
      expect(await signAll(wanted)).toEqual(right(wanted));
      await eventually(() => lines.length > time);
    }
    expect(lines.at(-1)).toContain("signing is slower until the next start");
    expect(await signAll(texts())).toEqual(right(texts()));
    expect(started).toHaveLength(3);
  });

  test("because it hangs is ended, and its texts are signed", async () => {
    const clock = manualClock();
    const { signAll, lines } = threads(1, clock);
    await signAll(texts());
    let isSigned = false;
    const signed = signAll(["hang-the-thread"]).finally(() => void (isSigned = true));
    await eventually(() => {
      if (!isSigned) clock.advance(5_000);
      return isSigned;
    });
    expect(await signed).toEqual(right(["hang-the-thread"]));
    expect(lines.join()).toContain("it hangs");
  });
});

test("a thread that had nothing to do for some seconds is ended; a later one is started", async () => {
  const clock = manualClock();
  const { signAll, started, lines } = threads(1, clock);
  await signAll(texts());
  let isClosed = false;
  started[0]!.addEventListener("close", () => void (isClosed = true));
  clock.advance(5_000);
  clock.advance(5_000);
  await eventually(() => isClosed);
  expect(await signAll(texts())).toEqual(right(texts()));
  expect([started.length, lines]).toEqual([2, []]);
});

test("what is asked for around the end is signed too", async () => {
  const { signAll, close, started, lines } = threads();
  const before = signAll(texts());
  await eventually(() => started.length > 0);
  close();
  expect(await before).toEqual(right(texts()));
  expect(await signAll(texts())).toEqual(right(texts()));
  expect([started.length <= 2, lines]).toEqual([true, []]);
});
