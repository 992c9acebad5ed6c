import { conditionsOf, type Rule } from "#segments/rule.ts";
import { storedRule } from "#segments/rules-input.ts";
import { withParsedRules } from "#storage/common/segments/parsed-rules.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import type { Row, Value } from "#storage/postgres/schema/row.ts";
import type { campaigns, lists, segments } from "#storage/postgres/schema/schema.ts";
import type { PointsRule } from "./event-sql.ts";

/** What rules name by id, as the workspace has it. What was deleted is missing: it has no contacts. */
export type NamedThings = {
  /** The numbers of lists. */
  readonly lists: ReadonlyMap<string, number>;
  /** The mailings of campaigns; null before a campaign is sent. */
  readonly campaigns: ReadonlyMap<string, number | null>;
  /** The rules of segments. */
  readonly segments: ReadonlyMap<string, Rule>;
  /** How many conditions ask for each segment. */
  readonly uses: ReadonlyMap<string, number>;
  /** The rules of the score; none if no condition asks for a score. */
  readonly scoring: readonly PointsRule[];
};

/** Ids that are named outside of rules. */
type Also = { readonly listIds?: readonly string[]; readonly segmentIds?: readonly string[] };

/** Looks up everything that rules name, including the rules of the segments that they name. */
export async function namedThings(
  session: Session,
  workspace: number,
  rules: readonly Rule[],
  { listIds = [], segmentIds = [] }: Also = {},
): Promise<NamedThings> {
  const segmentRules = new Map<string, Rule>();
  const uses = new Map<string, number>();
  const all = [...rules];
  const use = (id: string): void => void uses.set(id, (uses.get(id) ?? 0) + 1);
  for (const id of segmentIds) use(id);
  for (const rule of rules) segmentsIn(rule).forEach(use);
  for (let open = [...uses.keys()]; open.length > 0;) {
    const found = await session.rows<RulesRow>(SEGMENTS, [workspace, open]);
    const parsed = await withParsedRules(found);
    const read = parsed.map((segment) => [segment.id, storedRule(segment.rules)] as const);
    for (const [id, rule] of read) {
      segmentRules.set(id, rule);
      all.push(rule);
    }
    const asked = read.flatMap(([, rule]) => segmentsIn(rule));
    open = [...new Set(asked.filter((id) => !uses.has(id)))];
    asked.forEach(use);
  }
  const conditions = all.flatMap(conditionsOf);
  const mailIds = conditions.flatMap((each) => ("mailId" in each ? (each.mailId ?? []) : []));
  const ofConditions = conditions.flatMap((each) => (each.on === "list" ? each.listId : []));
  const asksForScore = conditions.some(({ on }) => on === "score");
  const [ofLists, ofCampaigns, scoring] = await Promise.all([
    session.rows<Row<typeof lists, "id" | "seq">>(LISTS, [workspace, [...listIds, ...ofConditions]]),
    session.rows<Row<typeof campaigns, "id" | "mailing">>(CAMPAIGNS, [workspace, mailIds]),
    asksForScore ? session.rows<PointsRule>(SCORING, [workspace]) : [],
  ]);
  return {
    lists: new Map(ofLists.map(({ id, seq }) => [id, seq])),
    campaigns: new Map(ofCampaigns.map(({ id, mailing }) => [id, mailing])),
    segments: segmentRules,
    uses,
    scoring,
  };
}

type RulesRow = Row<typeof segments, "id"> & { readonly rules: Value<typeof segments, "rules"> };

const SEGMENTS = "SELECT id, rules FROM segments WHERE workspace = $1 AND id = ANY($2::text[])";
const LISTS = "SELECT id, seq FROM lists WHERE workspace = $1 AND id = ANY($2::text[])";
const CAMPAIGNS = "SELECT id, mailing FROM campaigns WHERE workspace = $1 AND id = ANY($2::text[])";
const SCORING = "SELECT event, min_value_cents, points FROM scoring_rules WHERE workspace = $1 ORDER BY seq";

const segmentsIn = (rule: Rule): string[] =>
  conditionsOf(rule).flatMap((each) => (each.on === "segment" ? each.segmentId : []));
