/** A body whose file cannot be kept: the request ends with the reason, however much of the body is still to come. */
import { expect, test } from "bun:test";
import { systemClock } from "#core/time/clock.ts";
import { readMultipart } from "#http/body/multipart.ts";
import { Patience } from "#http/body/patience.ts";
import { RequestBody } from "#http/body/request-body.ts";

const PIECE = new Uint8Array(64 * 1024).fill(0x78);
const HEAD = '--x\r\ncontent-disposition: form-data; name="file"; filename="a.csv"\r\n\r\n';

function bodyOf(pieces: number): RequestBody {
  const parts = [HEAD, ...Array<Uint8Array>(pieces).fill(PIECE), "\r\n--x--\r\n"];
  const body = new ReadableStream<Uint8Array>({
    start(stream) {
      for (const part of parts) stream.enqueue(Buffer.from(part as string));
      stream.close();
    },
  });
  const request = new Request("http://x/", { method: "POST", body });
  return new RequestBody(request, systemClock, new Patience(systemClock));
}

test.each([
  ["the first piece", 0, 64],
  ["a piece in the middle", 20, 64],
  ["the only piece", 0, 1],
])("fails with what the taker of %s throws", async (_, fails, pieces) => {
  const full = new Error("no room");
  let taken = 0;
  const reading = readMultipart(bodyOf(pieces), "multipart/form-data; boundary=x", async () => {
    // As slow as a disk: meanwhile the reader has to wait.
    for (let n = 0; n < 20; n++) await new Promise((resolve) => setImmediate(resolve));
    if (taken++ >= fails) throw full;
  });
  expect(await reading.catch((error: unknown) => error)).toBe(full);
  expect(taken).toBe(fails + 1);
});
