/** A body whose file cannot be kept: the request ends with the reason, however much of the body is still to come. */
import { expect, test } from "bun:test";
import { yieldTurns } from "#core/time/event-loop.ts";
import { systemClock } from "#core/time/clock.ts";
import { readMultipart } from "#http/body/multipart.ts";
import { bodyParts, RequestBody } from "#http/body/request-body.ts";

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
  return new RequestBody(request, bodyParts(systemClock));
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
    await yieldTurns(20);
    if (taken++ >= fails) throw full;
  });
  expect(await reading.catch((error: unknown) => error)).toBe(full);
  expect(taken).toBe(fails + 1);
});

/** Read in one piece, as a client sends it. */
const reading = (text: string) => {
  const request = new Request("http://x/", { method: "POST", body: text });
  const body = new RequestBody(request, bodyParts(systemClock));
  return readMultipart(body, "multipart/form-data; boundary=x", async () => undefined);
};
const part = (more: string, value: string): string =>
  `--x\r\ncontent-disposition: form-data${more}\r\n\r\n${value}\r\n`;
const FILE = `${HEAD}email\r\n`;

test("a long part without a name is passed over like any other that nobody asks for", async () => {
  const { fileName, fields } = await reading(`${part("", "x".repeat(1_100_000))}${FILE}--x--\r\n`);
  expect([fileName, fields.size]).toEqual(["a.csv", 0]);
});

test.each(["first", "last"])("options that are sent as a file named blob, %s, are options", async (place) => {
  const options = part(`; name="options"; filename="blob"\r\ncontent-type: application/json`, "{}");
  const parts = place === "first" ? [options, FILE] : [FILE, options];
  const { fileName, fields } = await reading(`${parts.join("")}--x--\r\n`);
  expect([fileName, fields.get("options")]).toEqual(["a.csv", "{}"]);
});

test("a file without a name is a file", async () => {
  const { fileName, fields } = await reading(`${part('; name="file"', "email")}--x--\r\n`);
  expect([fileName, fields.size]).toEqual(["", 0]);
});

test.each([
  ["two files", `${FILE}${FILE}`, "two parts `file`"],
  ["very many parts", "--x\r\n\r\n".repeat(200), "more than 20 parts"],
  [
    "options behind very many texts",
    `${FILE}${part('; name="x"', "1").repeat(30)}${part('; name="options"', "{}")}`,
    "more than 20",
  ],
  ["a text that is too long", part('; name="options"', "x".repeat(1_100_000)), "longer than"],
])("a body of %s is refused", async (_, parts, says) => {
  const error = await reading(`${parts}--x--\r\n`).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: "VALIDATION_ERROR", message: expect.stringContaining(says) });
});

test("behind the last part that is allowed nothing more of a body is read", async () => {
  let pieces = 0;
  const body = {
    async *upload() {
      for (; pieces < 3; pieces++) yield Buffer.from(`--x\r\n${"\r\n\r\n--x\r\n".repeat(14_000)}`);
    },
  } as unknown as RequestBody;
  const error = await readMultipart(body, "multipart/form-data; boundary=x", async () => undefined).catch(
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ message: expect.stringContaining("more than 20 parts") });
  expect(pieces).toBe(0);
});
