import { namedThings } from "#storage/postgres/segments/named-things.ts";
import { RuleSql } from "#storage/postgres/segments/rule-sql.ts";
import type { StatementValues } from "#storage/postgres/segments/statement-values.ts";
import type { Audience } from "#campaigns/send/audience.ts";
import type { Instant } from "#core/time/clock.ts";
import type { Session } from "#storage/postgres/engine/session.ts";

/** An audience as conditions on the contact `c` of a statement. Their values are in the `StatementValues`. */
export type AudienceSql = {
  /** Read `with` once all conditions are put together. */
  readonly of: RuleSql;
  /** On the list, if there is one, and in the segment, if there is one; with any status. */
  readonly chosen: string;
  /** Those of them whom a plan looks at; the others are ignored. */
  readonly asked: string;
  /** Whether somebody is on an excluded list, or in an excluded segment. */
  readonly excluded: string;
};

export async function audienceSql(
  session: Session,
  workspace: number,
  { listId, segmentId, excludeListIds, excludeSegmentIds }: Audience,
  { now, values }: { readonly now: Instant; readonly values: StatementValues },
): Promise<AudienceSql> {
  const named = await namedThings(session, workspace, [], {
    listIds: [...(listId === null ? [] : [listId]), ...excludeListIds],
    segmentIds: [...(segmentId === null ? [] : [segmentId]), ...excludeSegmentIds],
  });
  const of = new RuleSql(workspace, now, named, values);
  const chosen = [
    of.isInWorkspace,
    ...(listId === null ? [] : [of.onList(listId)]),
    ...(segmentId === null ? [] : [of.inSegment(segmentId)]),
  ].join(" AND ");
  const excluding = [
    ...excludeListIds.map((id) => of.onList(id)),
    ...excludeSegmentIds.map((id) => of.inSegment(id)),
  ];
  return {
    of,
    chosen,
    asked: `${chosen} AND c.status = 'SUBSCRIBED'`,
    excluded: excluding.length === 0 ? "false" : `(${excluding.join(" OR ")})`,
  };
}
