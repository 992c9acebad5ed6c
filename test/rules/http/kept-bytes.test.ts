/** What a client sends byte by byte takes little more memory than its bytes: an array for each would take 100 times them. */
import { heapStats } from "bun:jsc";
import { expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { bodyParts, RequestBody } from "#http/body/request-body.ts";
import { mediaService } from "#media/service.ts";

const BYTES = 100_000;
const byteAt = (n: number): number => n % 251;
const WHOLE = Uint8Array.from({ length: BYTES }, (_, n) => byteAt(n));

/** What is in use once everything is away that nobody keeps. */
function inUse() {
  Bun.gc(true);
  const { heapSize, extraMemorySize, objectTypeCounts } = heapStats();
  return { bytes: heapSize + extraMemorySize, arrays: objectTypeCounts["Uint8Array"] ?? 0 };
}

function expectLittleMore(before: ReturnType<typeof inUse>): void {
  const after = inUse();
  expect(after.arrays - before.arrays).toBeLessThan(BYTES / 50);
  expect(after.bytes - before.bytes).toBeLessThan(10 * BYTES);
}

test("the body of a request", async () => {
  const [all, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let n = 0;
  const stream = new ReadableStream<Uint8Array>({
    async pull(controller) {
      // A socket brings some of them in one turn of the event loop.
      if (n % 500 === 0) await nextLoopTurn();
      if (n < BYTES) return controller.enqueue(Uint8Array.of(byteAt(n++)));
      all.resolve();
      await end.promise;
      controller.close();
    },
  });
  const headers = { "transfer-encoding": "chunked" };
  const request = new Request("http://x/", { method: "POST", body: stream, headers });
  const body = new RequestBody(request, bodyParts(systemClock));
  const before = inUse();
  const reading = body.bytes(BYTES);
  await all.promise;
  expectLittleMore(before);
  end.resolve();
  expect(Buffer.from(await reading).equals(WHOLE)).toBe(true);
});

test("a file for the media", async () => {
  const media = mediaService({
    media: {} as any,
    secret: new Uint8Array(32),
    clock: systemClock,
    newId: (prefix) => prefix,
  });
  const upload = media.receive("ws_one");
  const before = inUse();
  for (const byte of WHOLE) await upload.write(Uint8Array.of(byte));
  expectLittleMore(before);
  expect(await upload.keep("logo.png").catch(String)).toContain("PNG");
});
