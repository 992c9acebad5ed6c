/**
 * Reports come in by all three ways to a server that is killed again and again. Like real mail servers, providers
 * and mailboxes, the reporters repeat each report until the server has confirmed it, and sometimes once more. Each
 * start of the server has new reports by each way, so every kill can hit one.
 */
import { systemClock } from "#core/time/clock.ts";
import { unwrap } from "#core/errors/errors.ts";
import { present } from "#core/present.ts";
import { parseRelayUrls } from "#mail/smtp/relay/relay-address.ts";
import { smtpSession } from "#mail/smtp/session/smtp-session.ts";
import { dice } from "../common/dice.ts";
import { startImapServer, type ImapServer } from "../inbound/imap-server.ts";
import { dataOf } from "../server/data-of.ts";
import { freePort, postrider, startPostrider, type RunningServer } from "../server/postrider.ts";
import { BOUNCE_DOMAIN, dsn, sendTo, type SentMessage } from "../inbound/reports.ts";
import { startSending } from "../sending/sending.ts";

export type InboundFigures = {
  readonly reports: number;
  readonly kills: number;
  /** Reports that the server confirmed, by the way they came. */
  readonly acknowledged: Readonly<Record<"smtp" | "hook" | "mailbox", number>>;
  /** People who are BOUNCED and suppressed. */
  readonly bounced: number;
  /** What the figures of the workspace count. */
  readonly counted: number;
  readonly reportRows: number;
  readonly leftInMailbox: number;
};

type Target = { readonly sender: string; readonly messageId: string; readonly email: string };

export async function inboundKillRun(options: {
  people: number;
  kills: number;
  seed: number;
}): Promise<InboundFigures> {
  const mailbox = startImapServer();
  const { dataDir, hookSecret, targets } = await prepare(options.people);
  const smtpPort = freePort();
  const start = () => startPostrider(dataDir, ["--inbound-smtp", `127.0.0.1:${smtpPort}`]);
  await readMailboxOf(dataDir, mailbox, start);
  const run: Run = { server: null, due: 0, isOver: false, smtpPort, hookSecret, mailbox };
  const third = Math.ceil(targets.length / 3);
  const shares = [
    targets.slice(0, third),
    targets.slice(third, 2 * third),
    targets.slice(2 * third),
  ] as const;
  const reporting = [overSmtp(run, shares[0]), byHook(run, shares[1]), intoMailbox(run, shares[2])] as const;
  try {
    const random = dice(options.seed).fraction;
    for (let kill = 0; kill < options.kills; kill++) {
      run.server = await start();
      run.due = (kill + 1) / options.kills;
      await Bun.sleep(random() * 250);
      await present(run.server, "server").end("SIGKILL");
      run.server = null;
    }
    run.isOver = true;
    run.server = await start();
    const [smtp, hook, filed] = await Promise.all(reporting);
    while (mailbox.folders.get("INBOX")?.length !== 0) await Bun.sleep(10);
    await run.server.end("SIGTERM");
    const acknowledged = { smtp, hook, mailbox: filed };
    return {
      kills: options.kills,
      reports: targets.length,
      acknowledged,
      ...(await audit(dataDir)),
      leftInMailbox: 0,
    };
  } finally {
    run.isOver = true;
    await run.server?.end("SIGKILL");
    mailbox.stop();
  }
}

type Run = {
  server: RunningServer | null;
  /** How many of the reports may be sent by now. */
  due: number;
  /** The killing. */
  isOver: boolean;
  readonly smtpPort: number;
  readonly hookSecret: string;
  readonly mailbox: ImapServer;
};

async function prepare(people: number) {
  const api = await startSending();
  await api.services.workspaces.changeSettings(api.workspaceId, { bounceDomain: BOUNCE_DOMAIN });
  const { hookSecret } = await api.services.workspaces.settings(api.workspaceId);
  const addresses = Array.from({ length: people }, (_, index) => `reader-${index}@example.com`);
  const { sent } = await sendTo(api, addresses);
  await api.stop({ keep: true });
  return { dataDir: api.dataDir, hookSecret, targets: [...sent.values()].map(targetOf) };
}

/** For the first server the directory looks like a copy, which reads no mailbox. So it is set when that server has run. */
async function readMailboxOf(dataDir: string, { port }: ImapServer, start: () => Promise<RunningServer>) {
  await (await start()).end("SIGTERM");
  const set = `bounceMailbox=imap://bounces:secret@127.0.0.1:${port}/INBOX`;
  const { code, err } = await postrider(dataDir, ["settings", "set", set]);
  if (code !== 0) throw new Error(err);
}

const targetOf = ({ raw, sender, email }: SentMessage): Target => ({
  sender,
  email,
  messageId: present(/^Message-ID:\s*(<[^>]+>)/im.exec(raw)?.[1], "Message-ID"),
});

/** Reports everything until each was kept, and then again until the killing is over. Returns how many were kept. */
async function reportAll(
  run: Run,
  targets: readonly Target[],
  report: (target: Target) => Promise<boolean>,
): Promise<number> {
  const kept = new Set<Target>();
  while (!run.isOver || kept.size < targets.length) {
    for (const target of newestFirst(dueOf(run, targets))) {
      if (run.isOver && kept.has(target)) continue;
      if (await report(target)) kept.add(target);
      else await Bun.sleep(5);
    }
    // Nothing may be due yet.
    await Bun.sleep(1);
  }
  return kept.size;
}

const dueOf = ({ due }: Run, targets: readonly Target[]): readonly Target[] =>
  targets.slice(0, Math.ceil(due * targets.length));

/** The last ones have never been reported; those before them are repeated. */
const newestFirst = (targets: readonly Target[]): readonly Target[] => targets.toReversed();

function overSmtp(run: Run, targets: readonly Target[]): Promise<number> {
  const relay = present(unwrap(parseRelayUrls(`smtp://127.0.0.1:${run.smtpPort}`))[0], "relay");
  let session: ReturnType<typeof smtpSession> | null = null;
  return reportAll(run, targets, async ({ sender }) => {
    if (session === null) {
      const opened = smtpSession(relay, systemClock);
      if ((await opened.open()) !== null) return false;
      session = opened;
    }
    const offer = await session.offer({ from: "mailer-daemon@mx.example.net", to: sender }, dsn().toString());
    const end = offer.ok ? await offer.finish() : null;
    if (end !== null && "reply" in end && end.reply !== null && end.reply.code === 250) return true;
    void session.close();
    session = null;
    return false;
  });
}

function byHook(run: Run, targets: readonly Target[]): Promise<number> {
  return reportAll(run, targets, async ({ email, messageId }) => {
    const body = JSON.stringify({
      event: "hard_bounce",
      email,
      "message-id": messageId,
      reason: "550 5.1.1 unknown",
    });
    const url = `${run.server?.url}/hooks/brevo/${run.hookSecret}`;
    return await fetch(url, { method: "POST", body }).then(
      ({ status }) => status === 200,
      () => false,
    );
  });
}

/** Each report arrives in the mailbox twice; the mailbox keeps it until it is filed. */
async function intoMailbox(run: Run, targets: readonly Target[]): Promise<number> {
  const deliver = ({ messageId }: Target): void =>
    run.mailbox.deliver(dsn({ returned: `Message-ID: ${messageId}\nSubject: Spring\n` }).toString("latin1"));
  for (const [index, target] of targets.entries()) {
    while (dueOf(run, targets).length <= index) await Bun.sleep(1);
    deliver(target);
    await Bun.sleep(10);
    deliver(target);
  }
  return targets.length;
}

const COUNTED = "SELECT coalesce(sum(bounced), 0) AS n FROM activity_counts";

async function audit(dataDir: string) {
  const { rows, count, close } = await dataOf(dataDir);
  try {
    return {
      bounced: count(
        "contacts c JOIN suppressions s ON s.workspace = c.workspace AND s.address = c.email WHERE c.status = 'BOUNCED' AND s.reason = 'HARD_BOUNCE'",
      ),
      counted: present(rows<{ n: number }>(COUNTED)[0], "count").n,
      reportRows: count("bounce_reports"),
    };
  } finally {
    await close();
  }
}
