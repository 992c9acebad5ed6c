/** Strangers who send commands without waiting for the answers, as pipelining lets them. */
import { afterEach, expect, test } from "bun:test";
import { connect } from "node:net";
import { OURS, startInbound, type TestInbound } from "../support/inbound/inbound.ts";

const open: TestInbound[] = [];
afterEach(() => Promise.all(open.splice(0).map(({ server }) => server.close())));

async function start(...own: Parameters<typeof startInbound>): Promise<TestInbound> {
  const inbound = await startInbound(...own);
  open.push(inbound);
  return inbound;
}

/** The codes of all answers until the server has ended the connection. */
async function answersTo(port: number, commands: string): Promise<string[]> {
  const socket = connect(port, "127.0.0.1");
  let said = "";
  const ended = Promise.withResolvers<void>();
  socket.on("close", () => ended.resolve());
  socket.on("error", () => undefined);
  socket.on("data", (bytes: Buffer) => {
    // Whoever talks before the greeting is cut off.
    if (said === "") socket.write(commands);
    said += bytes.toString();
  });
  await ended.promise;
  return said.split("\r\n").flatMap((line) => (/^\d{3} /.test(line) ? [line.slice(0, 3)] : []));
}

test("others have a turn between the recipients that somebody names all at once", async () => {
  let inThisTurn = 0;
  let most = 0;
  const { server } = await start({
    post: {
      async takes() {
        most = Math.max(most, ++inThisTurn);
        setImmediate(() => void (inThisTurn = 0));
        return true;
      },
    },
  });
  const commands = `EHLO x\r\nMAIL FROM:<>\r\n${`RCPT TO:<${OURS}>\r\n`.repeat(1_000)}QUIT\r\n`;
  const answers = await answersTo(server.port, commands);
  expect(answers.filter((code) => code === "250" || code === "452")).toHaveLength(1_002);
  expect(most).toBe(1);
});

test("a command that is longer than any has a reason to be ends the connection", async () => {
  const { server } = await start();
  const command = (length: number): string => `MAIL FROM:<> ${"A=B ".repeat(length / 4)}\r\n`;
  expect(await answersTo(server.port, `EHLO x\r\n${command(1_600)}QUIT\r\n`)).toEqual([
    "220",
    "250",
    "501",
    "221",
  ]);
  expect(await answersTo(server.port, `EHLO x\r\n${command(4_000)}QUIT\r\n`)).not.toContain("221");
});
