import type { Instant } from "#core/time/clock.ts";
import { withoutNot } from "#segments/contrary.ts";
import type { Condition, MailCondition, Rule } from "#segments/rule.ts";
import { eventContacts, scoreContacts, type ContactsSql } from "./event-sql.ts";
import { mailContacts } from "./mail-sql.ts";
import type { NamedThings } from "./named-things.ts";
import type { StatementValues } from "./statement-values.ts";
import { contactTextSql } from "./text-sql.ts";
import { instantSql, jsonValueSql } from "./value-sql.ts";

/**
 * Rules as conditions on the contact `c` of a statement, `contacts AS c`, whose values are in `values`. The
 * statement begins with `with`, which is complete once all its conditions are made. No condition is ever null.
 */
export class RuleSql {
  readonly #workspace: string;
  /** Segments that several conditions ask for: by id, the name of the table of members. */
  readonly #shared = new Map<string, string>();
  readonly #members: string[] = [];

  /** @param named everything that the rules name (`namedThings`) */
  constructor(
    workspace: number,
    private readonly now: Instant,
    private readonly named: NamedThings,
    private readonly values: StatementValues,
  ) {
    this.#workspace = values.add(workspace, "int8");
  }

  get with(): string {
    return this.#members.length === 0 ? "" : `WITH ${this.#members.join(", ")}`;
  }

  /** Whether the contact belongs to the workspace. Everything else is checked only for these contacts. */
  get isInWorkspace(): string {
    return `c.workspace = ${this.#workspace}`;
  }

  holds(rule: Rule): string {
    switch (rule.kind) {
      case "condition":
        return this.#meets(rule.condition);
      case "not":
        return `NOT ${this.holds(rule.rule)}`;
      case "all":
        return `(${rule.rules.map((each) => this.holds(each)).join(" AND ")})`;
      case "any":
        return `(${rule.rules.map((each) => this.holds(each)).join(" OR ")})`;
    }
  }

  /** With any status. A deleted list has no contacts. */
  onList(listId: string): string {
    const list = this.named.lists.get(listId);
    if (list === undefined) return "false";
    return isAmong(`SELECT m.contact FROM list_members AS m WHERE m.list = ${this.values.add(list, "int8")}`);
  }

  /** If several conditions ask for a segment, it is answered only once. A deleted segment has no contacts. */
  inSegment(segmentId: string): string {
    const rule = this.named.segments.get(segmentId);
    if (rule === undefined) return "false";
    if (this.named.uses.get(segmentId) === 1) return this.holds(rule);
    return isAmong(`SELECT contact FROM ${this.#shared.get(segmentId) ?? this.#share(segmentId, rule)}`);
  }

  #share(segmentId: string, rule: Rule): string {
    const holds = this.holds(rule);
    const name = `segment_${this.#members.length + 1}`;
    this.#members.push(
      `${name} AS MATERIALIZED (SELECT c.seq AS contact FROM contacts AS c WHERE ${this.isInWorkspace} AND ${holds})`,
    );
    this.#shared.set(segmentId, name);
    return name;
  }

  /** Whether the address is suppressed. */
  get isSuppressed(): string {
    return `EXISTS (SELECT FROM suppressions AS s WHERE s.workspace = ${this.#workspace} AND s.address = c.email)`;
  }

  /** Whether the address is on a blocked domain. */
  get isOnBlockedDomain(): string {
    return `EXISTS (SELECT FROM blocked_domains AS b WHERE b.workspace = ${this.#workspace}
      AND b.domain = substr(c.email, strpos(c.email, '@') + 1))`;
  }

  #meets(condition: Condition): string {
    const { now, values } = this;
    const asked = { workspace: this.#workspace, now, values };
    switch (condition.on) {
      case "text":
        return `(${contactTextSql(condition.field, condition.test, values)})`;
      case "tag":
        return isOrNot(condition.is, this.isTagged(condition.tag));
      case "list":
        return isOrNot(condition.is, this.onList(condition.listId));
      case "segment":
        return isOrNot(condition.is, this.inSegment(condition.segmentId));
      case "createdAt":
        return `(${instantSql("c.created_at", condition.test, now, values)})`;
      case "attribute":
        return this.#attribute(condition);
      case "score":
        return among(scoreContacts(condition.test, this.named.scoring, asked));
      case "event":
        return among(eventContacts(condition, asked));
      case "received":
      case "opened":
      case "clicked":
        return isOrNot(condition.is, this.#mailed(condition));
    }
  }

  isTagged(tag: string): string {
    return isAmong(
      `SELECT t.contact FROM contact_tags AS t WHERE t.workspace = ${this.#workspace} AND t.tag = ${this.values.add(tag, "text")}`,
    );
  }

  /** A contact without attributes fits only a negated test. */
  #attribute({ name, test }: Extract<Condition, { on: "attribute" }>): string {
    const { test: positive, isContrary } = withoutNot(test);
    const at = this.values.add(name, "text");
    const from = (column: string) => ({ value: `(${column} -> ${at})`, text: `(${column} ->> ${at})` });
    const value = { ...from("a.attributes"), folded: from("a.folded") };
    const where = jsonValueSql(value, positive, this.now, this.values);
    const contacts = `SELECT a.contact FROM contact_attributes AS a WHERE a.workspace = ${this.#workspace} AND ${where}`;
    return among({ contacts, isContrary });
  }

  #mailed(condition: MailCondition): string {
    const { now, values } = this;
    if (condition.mailId === null) {
      const ofCampaigns = `IN (SELECT seq FROM mailings WHERE kind = 'campaign' AND workspace = ${this.#workspace})`;
      return isAmong(mailContacts(condition, ofCampaigns, now, values));
    }
    const mailing = this.named.campaigns.get(condition.mailId) ?? null;
    if (mailing === null) return "false";
    return isAmong(mailContacts(condition, `= ${values.add(mailing, "int8")}`, now, values));
  }
}

/**
 * Whether the contact is among those of a select. PostgreSQL looks up this contact, or makes a table of all,
 * whichever is less work.
 */
const isAmong = (contacts: string): string =>
  `EXISTS (SELECT FROM (${contacts}) AS found WHERE found.contact = c.seq)`;

const isOrNot = (is: boolean, holds: string): string => (is ? holds : `NOT ${holds}`);

const among = ({ contacts, isContrary }: ContactsSql): string => isOrNot(!isContrary, isAmong(contacts));
