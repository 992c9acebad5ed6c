import type { AudienceOptions } from "#campaigns/options/options.ts";
import type { PlanStore } from "#campaigns/send/plan.ts";
import { present } from "#core/present.ts";
import { audienceToSettle, planAudience } from "#storage/common/campaigns/plan-audience.ts";
import type { SqliteDatabase } from "#storage/sqlite/engine/open.ts";
import type { WorkspaceSeq } from "#storage/sqlite/engine/workspace-seq.ts";
import { ContactBits } from "#storage/sqlite/segments/sets/contact-bits.ts";
import type { SegmentQueries } from "#storage/sqlite/segments/segment-queries.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { lists, mailingAudiences, mailings } from "#storage/sqlite/schema/schema.ts";

type Unsettled = Row<typeof mailingAudiences, "audience"> &
  Row<typeof mailings, "list"> & { listId: Value<typeof lists, "id"> | null };
/** The audience of a plan; `excluded` are some of `asked`. */
export type SettledAudience = { readonly asked: ContactBits; readonly excluded: ContactBits };

/** What a plan stores of an audience that is more than a list, on an open transaction of the write queue. */
export function planAudiences(sqlite: SqliteDatabase["sqlite"]) {
  const insert = sqlite.query<null, [number, string]>(
    "INSERT INTO mailing_audiences (mailing, audience) VALUES (?, ?)",
  );
  const find = sqlite.query<Row<typeof mailingAudiences, "audience">, [number]>(
    "SELECT audience FROM mailing_audiences WHERE mailing = ?",
  );
  const remove = sqlite.query<null, [number]>("DELETE FROM mailing_audiences WHERE mailing = ?");

  return {
    begin(mailing: number, options: AudienceOptions): void {
      const audience = planAudience(options);
      if (audience !== null) insert.run(mailing, audience);
    },

    /** Whether a plan was begun for the audience of these options. */
    isFor: (mailing: number, options: AudienceOptions): boolean =>
      (find.get(mailing)?.audience ?? null) === planAudience(options),

    forget: (mailing: number): void => void remove.run(mailing),
  };
}

/**
 * Settles a plan's audience in the thread for segments: in one snapshot, and stored before anybody is planned. A
 * plan that continues after a restart keeps the same audience.
 */
export function audienceSettling(
  { sqlite, writes }: SqliteDatabase,
  queries: SegmentQueries,
  seqOf: WorkspaceSeq,
): PlanStore["settle"] {
  const unsettled = sqlite.query<Unsettled, [number]>(
    `SELECT a.audience, m.list, l.id AS listId FROM mailing_audiences a JOIN mailings m ON m.seq = a.mailing
     LEFT JOIN lists l ON l.seq = m.list WHERE a.mailing = ? AND a.asked IS NULL`,
  );
  const settle = sqlite.query<null, [Uint8Array, Uint8Array, number]>(
    "UPDATE mailing_audiences SET asked = ?, excluded = ? WHERE mailing = ? AND asked IS NULL",
  );

  return async ({ number, workspaceId }, now) => {
    const row = unsettled.get(number);
    if (row === null) return;
    const ask = { kind: "audience", audience: audienceToSettle(row), wants: "words" } as const;
    const found = await queries.ask({ workspace: seqOf(workspaceId), now, rules: null, ask });
    const { asked, excluded } = present(found.audience?.words, "audience that was asked for");
    await writes.write(() => void settle.run(bytesOf(asked), bytesOf(excluded), number));
  };
}

const bytesOf = (words: Uint32Array<ArrayBuffer>): Uint8Array => new Uint8Array(words.buffer);
/** A copy, because words must be aligned to four bytes. */
const wordsOf = (bytes: Uint8Array): Uint32Array<ArrayBuffer> => new Uint32Array(bytes.slice().buffer);

/** The audiences of plans in progress, kept in memory while they are walked. */
export function settledAudiences(sqlite: SqliteDatabase["sqlite"]) {
  const known = new Map<number, SettledAudience>();
  const find = sqlite.query<Row<typeof mailingAudiences, "asked" | "excluded">, [number]>(
    "SELECT asked, excluded FROM mailing_audiences WHERE mailing = ?",
  );

  return {
    /** Null: the list alone decides. */
    of(mailing: number): SettledAudience | null {
      const settled = known.get(mailing);
      if (settled !== undefined) return settled;
      const row = find.get(mailing);
      if (row === null) return null;
      const audience = {
        asked: new ContactBits(wordsOf(present(row.asked, "settled audience"))),
        excluded: new ContactBits(wordsOf(present(row.excluded, "settled exclusions"))),
      };
      known.set(mailing, audience);
      return audience;
    },

    drop: (mailing: number): void => void known.delete(mailing),
  };
}
