/** Mailings for tests of the ledger on either engine: written as a plan leaves them, with statements of each. */
import type { LedgerStore } from "#deliveries/store.ts";
import type { Urgency } from "#mail/smtp/relay/urgency.ts";
import type { Engine, OpenedEngine } from "./engines.ts";

type Ground = {
  readonly engine: Pick<Engine, "name">;
  readonly opened: Pick<OpenedEngine, "run" | "values">;
};

type NewMailing = {
  /** SUBSCRIBED, one message each: `PREFIX0@example.com`, `PREFIX1@…`. */
  readonly people: number;
  readonly prefix: string;
  readonly workspace?: number;
  readonly kind?: "campaign" | "automation";
  readonly phase?: "sending" | "planning" | "stopped";
};

export type MadeMailing = { readonly mailing: number; readonly messages: readonly number[] };

const SLICE = 4;

/** A mailing that owes a message to each of its people, and the campaign that it belongs to. */
export async function makeMailing({ engine, opened }: Ground, given: NewMailing): Promise<MadeMailing> {
  const { people, prefix, workspace = 1, kind = "campaign", phase = "sending" } = given;
  const { run } = opened;
  const numbers = Array.from({ length: people }, (_, n) => n);
  await run(
    `INSERT INTO mailings (workspace, kind, source_id, phase, reserved_month, created_at, started_at)
     VALUES (${workspace}, '${kind}', 'cmp_${prefix}', '${phase}', '2026-11', 1, 1)`,
  );
  const mailing = await lastOf(opened, "mailings");
  const letter = { subject: "Hi", html: "<p>", from: { name: "N", address: "news@sender.example" } };
  await run(`INSERT INTO mailing_contents VALUES (${mailing}, '${JSON.stringify(letter)}')`);
  if (kind === "campaign")
    await run(
      `INSERT INTO campaigns (id, workspace, name, subject, search, status, mailing, created_at)
       VALUES ('cmp_${prefix}', ${workspace}, '', '', '', 'DRAFT', ${mailing}, 1)`,
    );
  const rows = numbers.map(
    (n) => `('con_${prefix}${n}', ${workspace}, '${prefix}${n}@example.com', '', '', 'SUBSCRIBED', '', 1)`,
  );
  if (people > 0)
    await run(
      `INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at) VALUES ${rows.join(", ")}`,
    );
  await run(
    `INSERT INTO deliveries (mailing, contact, address, state) SELECT ${mailing}, seq, email, 'queued' FROM contacts
     WHERE workspace = ${workspace} AND email LIKE '${prefix}%@example.com' ORDER BY seq`,
  );
  const messages = (
    await opened.values(`SELECT seq FROM deliveries WHERE mailing = ${mailing} ORDER BY seq`)
  ).map(Number);
  await count({ engine, opened }, mailing, messages);
  return { mailing, messages };
}

/** SQLite counts in the mailing's row, PostgreSQL beside it; there, the plan also has slices. */
async function count(
  { engine, opened }: Ground,
  mailing: number,
  messages: readonly number[],
): Promise<void> {
  const n = messages.length;
  if (engine.name === "SQLite")
    return await opened.run(`UPDATE mailings SET planned = ${n}, queued = ${n} WHERE seq = ${mailing}`);
  await opened.run(
    `INSERT INTO tallies (mailing, slot, planned, queued) VALUES (${mailing}, -1, ${n}, ${n})`,
  );
  for (let i = 0; i < n; i += SLICE) {
    const part = messages.slice(i, i + SLICE);
    await opened.run(
      `INSERT INTO slices (mailing, n, lo, hi) VALUES (${mailing}, ${i / SLICE}, ${part[0]}, ${part.at(-1)})`,
    );
  }
}

const lastOf = async ({ values }: Pick<OpenedEngine, "values">, table: string): Promise<number> =>
  Number((await values(`SELECT max(seq) FROM ${table}`))[0]);

type HowClaimed = { readonly urgency?: Urgency; readonly isCounted?: boolean; readonly isLast?: boolean };

/** Claims a dot, as of one of many messages of a mailing unless said otherwise. */
export const claimDot = (
  ledger: Pick<LedgerStore, "claimDot">,
  message: number,
  run: number,
  now: number,
  { urgency = "bulk", isCounted = false, isLast = false }: HowClaimed = {},
) => ledger.claimDot(message, run, now, urgency, { isCounted, isLast });
