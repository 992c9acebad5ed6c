import { Database } from "bun:sqlite";
import type { ContactFilter } from "#contacts/contact-filter.ts";
import type { Instant } from "#core/time/clock.ts";
import type { JsonValue } from "#core/request/json-value.ts";
import type { PageRequest } from "#core/request/page.ts";
import { storedRule } from "#segments/rules-input.ts";
import type { ContactRow } from "#storage/sqlite/contacts/contact-row.ts";
import {
  answerAudience,
  leftOutOf,
  type AudienceAsk,
  type AudienceFound,
} from "#storage/sqlite/segments/sets/audience-sets.ts";
import type { ContactBits } from "#storage/sqlite/segments/sets/contact-bits.ts";
import { contactsBySeq } from "./contacts-by-seq.ts";
import { Population } from "#storage/sqlite/segments/sets/population.ts";
import { SegmentSets } from "#storage/sqlite/segments/sets/segment-sets.ts";

/** What is sent to the thread: one question at a time, about the database at `path`. */
export type SegmentOrder = SegmentQuestion & { readonly path: string };

export type SegmentQuestion = {
  readonly workspace: number;
  readonly now: Instant;
  /** Null for an audience, which names its segments. */
  readonly rules: JsonValue;
  readonly ask: SegmentAsk;
};

/** The question about the contacts that fit some rules. `sample`: how many of the newest to return. */
type SegmentAsk =
  | { readonly kind: "count"; readonly sample: number }
  | { readonly kind: "page"; readonly filter: ContactFilter; readonly request: PageRequest }
  | { readonly kind: "members"; readonly filter: ContactFilter }
  | AudienceAsk;

/** At most one row more than was asked for, newest first. `words`: the set itself, for `members` only. */
export type SegmentFound = {
  readonly total: number;
  readonly subscribed: number;
  readonly rows: readonly ContactRow[];
  readonly words: Uint32Array<ArrayBuffer> | null;
  readonly audience: AudienceFound | null;
};

export type SegmentReport =
  | { readonly found: SegmentFound }
  | { readonly failed: { readonly message: string; readonly code: string } };

/**
 * The thread's side. Counting a segment reads millions of rows and takes up to a second. On the event loop
 * everybody would wait for it, and even in slices it would take most of the loop's time. The thread's connection
 * only reads, and holds one snapshot per question.
 */
export function runSegmentThread(thread: Worker): void {
  let sqlite: Database | null = null;
  const report = (what: SegmentReport, give: ArrayBuffer[] = []): void => thread.postMessage(what, give);
  thread.addEventListener("message", ({ data }: MessageEvent<SegmentOrder>) => {
    try {
      sqlite ??= openReader(data.path);
      const found = answer(sqlite, data);
      const { asked, excluded } = found.audience?.words ?? { asked: null, excluded: null };
      report(
        { found },
        [found.words, asked, excluded].flatMap((words) => words?.buffer ?? []),
      );
    } catch (error) {
      const { message, code } = error as Error & { code?: unknown };
      report({ failed: { message, code: String(code) } });
    }
  });
}

function openReader(path: string): Database {
  const sqlite = new Database(path, { readonly: true, strict: true });
  for (const pragma of ["busy_timeout = 5000", "cache_size = -16384", "temp_store = MEMORY"])
    sqlite.run(`PRAGMA ${pragma}`);
  return sqlite;
}

function answer(sqlite: Database, { workspace, now, rules, ask }: SegmentQuestion): SegmentFound {
  sqlite.run("BEGIN");
  try {
    const population = new Population(sqlite, workspace, now);
    const sets = new SegmentSets(population);
    if (ask.kind === "audience" && ask.wants === "left out")
      return pageOf(sqlite, leftOutOf(sets, population, ask), ask.request);
    if (ask.kind === "audience") return { ...NOTHING, audience: answerAudience(sets, population, ask) };
    const everyone = sets.ofRule(storedRule(rules));
    if (ask.kind === "count") {
      const subscribed = everyone.and(population.withStatus("SUBSCRIBED")).size;
      const rows = rowsOf(sqlite, everyone, { limit: ask.sample, before: null });
      return { ...NOTHING, total: everyone.size, subscribed, rows };
    }
    const shown = sets.ofFilter(ask.filter).reduce((left, some) => left.and(some), everyone);
    if (ask.kind === "members") return { ...NOTHING, total: shown.size, words: shown.words };
    return pageOf(sqlite, shown, ask.request);
  } finally {
    // After an error of the disk, SQLite may have ended it. A failing COMMIT would hide that error.
    if (sqlite.inTransaction) sqlite.run("COMMIT");
  }
}

const NOTHING: SegmentFound = { total: 0, subscribed: 0, rows: [], words: null, audience: null };

const pageOf = (sqlite: Database, bits: ContactBits, { limit, before }: PageRequest): SegmentFound => ({
  ...NOTHING,
  total: bits.size,
  rows: rowsOf(sqlite, bits, { limit: limit + 1, before }),
});

const rowsOf = (sqlite: Database, bits: ContactBits, { limit, before }: PageRequest): ContactRow[] =>
  contactsBySeq(sqlite)(bits.descending(before ?? Number.MAX_SAFE_INTEGER, limit));
