import type { JsonValue } from "#core/request/json-value.ts";
import { storedRule } from "#segments/rules-input.ts";
import type { Session } from "#storage/postgres/engine/session.ts";
import { namedThings } from "./named-things.ts";
import { RuleSql } from "./rule-sql.ts";
import { StatementValues } from "./statement-values.ts";

/**
 * Call it before rules are stored: with the segments that they name, they may be more than one statement can ask.
 * @throws AppError if they are
 */
export async function checkFit(session: Session, workspace: number, rules: JsonValue): Promise<void> {
  const rule = storedRule(rules);
  const named = await namedThings(session, workspace, [rule]);
  new RuleSql(workspace, 0, named, new StatementValues()).holds(rule);
}
