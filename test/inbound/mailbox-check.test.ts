import { afterEach, expect, test } from "bun:test";
import { nextLoopTurn } from "#core/time/event-loop.ts";
import { checkMailbox } from "#doctor/workspace/reports-in.ts";
import { startImapServer } from "../support/inbound/imap-server.ts";
import { manualClock } from "../support/common/manual-clock.ts";

const ends: (() => unknown)[] = [];
afterEach(() => {
  for (const end of ends.splice(0)) end();
});

test("the check of a mailbox whose server hangs ends, and says so", async () => {
  const server = startImapServer();
  ends.push(server.stop);
  server.onCommand((command) => (command.startsWith("SELECT") ? { say: "" } : undefined));
  const clock = manualClock();
  const url = `imap://bounces:secret@127.0.0.1:${server.port}/INBOX`;
  const checking = checkMailbox({ bounceMailbox: url }, clock);
  while (!server.commands.some((command) => command.startsWith("SELECT"))) await nextLoopTurn();
  clock.advance(30_000);
  const [finding] = await checking;
  expect(finding?.message).toBe("bounces are not read: no answer within 30 s");
});
