import { afterEach, expect, test } from "bun:test";
import { unwrap } from "#core/errors/errors.ts";
import { everything } from "#core/share.ts";
import { mailboxJob } from "#inbound/mailbox/job.ts";
import { MailboxReader } from "#inbound/mailbox/reader.ts";
import { parseMailboxUrl, type MailboxAddress } from "#mail/mailbox/mailbox-address.ts";
import { MailboxTrouble } from "#mail/mailbox/mailbox.ts";
import type { ImapServer } from "../support/inbound/imap-server.ts";
import { eventually } from "../support/common/eventually.ts";
import { endReading, imap, passing, pop3, reader, world } from "../support/inbound/reading.ts";
import { MINUTE } from "../support/common/durations.ts";

afterEach(endReading);

test("the mailboxes are those of the settings, also after they change", async () => {
  const [one, two] = [imap(), imap()];
  one.server.deliver("one\r\n");
  two.server.deliver("two\r\n");
  const own = world();
  let revision = 1;
  let holders = [{ workspaceId: "ws_1", value: one.url }];
  const workspaces = { revision: () => revision, holders: async () => holders };
  const job = mailboxJob({ ...own.parts, workspaces, share: everything });
  job.start();
  await eventually(() => own.taken.length === 1 && own.clock.pending > 0);
  holders = [{ workspaceId: "ws_1", value: two.url }];
  revision++;
  own.clock.advance(5_000);
  await eventually(() => own.taken.length === 2);
  expect(own.taken).toEqual(["one\r\n", "two\r\n"]);
  await eventually(() => one.server.clients === 0);
  await job.stop();
  await eventually(() => two.server.clients === 0);
});

test("workspaces join and leave a mailbox while it stays open", async () => {
  const { server, url } = imap();
  server.deliver("one\r\n");
  const readFor: unknown[] = [];
  const own = world(async ({ workspaceIds }) => {
    readFor.push(workspaceIds);
    return "applied";
  });
  let revision = 1;
  let looks = 0;
  let ids = ["ws_1"];
  const workspaces = {
    revision: () => revision,
    async holders() {
      looks++;
      return ids.map((workspaceId) => ({ workspaceId, value: url }));
    },
  };
  const job = mailboxJob({ ...own.parts, workspaces, share: everything });
  const idling = server.idle();
  job.start();
  await idling;
  for (const next of [["ws_1", "ws_2"], ["ws_2"]]) {
    ids = next;
    revision++;
    own.clock.advance(5_000);
    await eventually(() => looks === revision);
    server.deliver("another\r\n");
    await eventually(() => readFor.length === revision);
  }
  expect(readFor).toEqual([["ws_1"], ["ws_1", "ws_2"], ["ws_2"]]);
  expect(server.commands.filter((command) => command.startsWith("LOGIN"))).toHaveLength(1);
  await job.stop();
});

/** What a mailbox is read for, while several workspaces have it under these URLs. */
async function readUnder(server: ImapServer, urls: readonly string[]) {
  server.deliver("one\r\n");
  const readFor: unknown[] = [];
  const own = world(async ({ workspaceIds }) => {
    readFor.push(workspaceIds);
    return "applied";
  });
  const holders = urls.map((value, index) => ({ workspaceId: `ws_${index + 1}`, value }));
  const workspaces = { revision: () => 1, holders: async () => holders };
  const job = mailboxJob({ ...own.parts, workspaces, share: everything });
  job.start();
  await passing(own, server, () => server.folders.get("Postrider")?.length === 1);
  return { own, readFor, job };
}

test("one mailbox has one reader, however its URL is written", async () => {
  const { server } = imap();
  const urls = ["127.0.0.1/INBOX", "localhost/inbox", "LOCALHOST", "localhost./Inbox", "[::1]/"].map(
    (place) => place.replace(/^([^/]+)/, `imap://bounces:secret@$1:${server.port}`),
  );
  const { readFor, job } = await readUnder(server, urls);
  expect(readFor).toEqual([["ws_1", "ws_2", "ws_3", "ws_4", "ws_5"]]);
  expect(server.commands.filter((command) => command.startsWith("LOGIN"))).toHaveLength(1);
  await job.stop();
});

test("where one way to write it leads nowhere, another is used for all, and stays in use", async () => {
  const { server, url } = imap();
  const { own, readFor, job } = await readUnder(server, [url.replace("127.0.0.1", "[::1]"), url]);
  expect(readFor).toEqual([["ws_1", "ws_2"]]);
  const [idling, troubles] = [server.idle(), own.log.length];
  server.cutAll();
  await Promise.all([idling, passing(own, server, () => server.clients === 1)]);
  expect(own.log.slice(troubles).filter((line) => line.includes("[::1]"))).toEqual([]);
  await job.stop();
});

test("trouble of each way to write it is logged once when it begins", async () => {
  const own = world();
  const urls = ["imap://bounces:secret@127.0.0.1:1", "imap://bounces:secret@localhost:1"];
  const addresses = urls.map((url) => unwrap(parseMailboxUrl(url)));
  let opened = 0;
  const openMailbox = async ({ host }: MailboxAddress): Promise<never> => {
    opened++;
    throw new MailboxTrouble("connection", `${host} cannot be read`);
  };
  const made = new MailboxReader(["ws_1"], addresses, { ...own.parts, openMailbox });
  await passing(own, { clients: 0 }, () => opened === 8);
  await made.stop();
  expect(own.log.map((line) => JSON.parse(line).why)).toEqual([
    "127.0.0.1 cannot be read",
    "localhost cannot be read",
  ]);
});

test("what was another workspace's is read when that one joins", async () => {
  const { server, url } = imap();
  server.deliver("theirs\r\n");
  const own = world(async ({ workspaceIds }) =>
    workspaceIds?.includes("ws_2") === true ? "applied" : "elsewhere",
  );
  let ids = ["ws_1"];
  const workspaces = {
    revision: () => ids.length,
    holders: async () => ids.map((workspaceId) => ({ workspaceId, value: url })),
  };
  const job = mailboxJob({ ...own.parts, workspaces, share: everything });
  const idling = server.idle();
  job.start();
  await idling;
  expect(server.folders.get("INBOX")?.length).toBe(1);
  ids = ["ws_1", "ws_2"];
  own.clock.advance(5 * MINUTE);
  await passing(own, server, () => {
    own.clock.advance(1_000);
    return server.folders.get("INBOX")?.length === 0;
  });
  expect(own.taken).toEqual(["theirs\r\n", "theirs\r\n"]);
  await job.stop();
});

test("by POP3 what was another workspace's is read too when that one joins, although its sessions are short", async () => {
  const { server, url } = pop3();
  server.mails.set("theirs", "theirs\r\n");
  let isOurs = false;
  const own = world(async () => (isOurs ? "applied" : "elsewhere"));
  const one = reader(url, own);
  await passing(own, server, () => own.taken.length === 1);
  isOurs = true;
  one.workspaceIds = ["ws_1", "ws_2"];
  await passing(own, server, () => server.mails.size === 0);
  expect(own.taken).toEqual(["theirs\r\n", "theirs\r\n"]);
});

test("of several servers one reads the mailboxes, and another when that one has ended", async () => {
  const { server, url } = imap();
  server.deliver("one\r\n");
  const own = world();
  const workspaces = { revision: () => 1, holders: async () => [{ workspaceId: "ws_1", value: url }] };
  let part = 0;
  const job = mailboxJob({ ...own.parts, workspaces, share: () => part });
  job.start();
  await eventually(() => own.clock.pending > 0);
  expect([own.taken, server.clients]).toEqual([[], 0]);
  part = 1;
  own.clock.advance(5_000);
  await eventually(() => own.taken.length === 1 && own.clock.pending > 0);
  part = 0;
  own.clock.advance(5_000);
  await eventually(() => server.clients === 0);
  await job.stop();
});
