import { CONTACT_STATUSES } from "#contacts/contact.ts";
import type { ContactFilter } from "#contacts/contact-filter.ts";
import { DAY_MS } from "#core/time/time.ts";
import { withoutNot } from "#segments/contrary.ts";
import type { Condition, DateTest, Rule } from "#segments/rule.ts";
import { storedRule } from "#segments/rules-input.ts";
import { searchTermOf } from "#storage/common/engine/search-text.ts";
import type { Row, Value } from "#storage/sqlite/schema/row.ts";
import type { contacts, lists, segments } from "#storage/sqlite/schema/schema.ts";
import { attributeSet } from "./attribute-sets.ts";
import type { ContactBits } from "./contact-bits.ts";
import { costOf } from "./condition-cost.ts";
import { eventSet, scoreSet, type SetOrContrary } from "./event-sets.ts";
import { mailSet } from "./mail-sets.ts";
import type { Population } from "./population.ts";
import { CANDIDATES, OF_NUMBERS, sweepRows, type Values } from "./sweep.ts";
import { textSql } from "./text-sql.ts";

/**
 * A rule compiled for SQLite: each condition is one pass over its data and gives a set of contacts; groups combine
 * these sets. A negated condition (`notEquals`) is everybody without the set of the plain condition, as
 * `segments/value-test.ts` defines it.
 */
export class SegmentSets {
  readonly #known = new Map<string, ContactBits>();

  constructor(private readonly population: Population) {}

  ofRule(rule: Rule): ContactBits {
    return this.#inFull(this.#of(rule, null));
  }

  /** The contacts that a list shows: see `GET /contacts`. */
  ofFilter({ status, tag, q }: ContactFilter): ContactBits[] {
    const term = searchTermOf(q ?? "");
    return [
      ...(status === null ? [] : [this.population.withStatus(status)]),
      ...(tag === null ? [] : [this.#tagged(tag)]),
      ...(term === "" ? [] : [this.#contacts("instr(c.search, $term) > 0", { term })]),
    ];
  }

  #inFull({ bits, isContrary }: SetOrContrary): ContactBits {
    return isContrary ? this.population.everybody.without(bits) : bits;
  }

  /** @param among only their answers count, and those for others may be wrong; null: everybody's answers count */
  #of(rule: Rule, among: ContactBits | null): SetOrContrary {
    switch (rule.kind) {
      case "condition":
        return this.#ofCondition(rule.condition, among);
      case "not": {
        const { bits, isContrary } = this.#of(rule.rule, among);
        return { bits, isContrary: !isContrary };
      }
      case "all":
        return set(this.#allOf(rule.rules, among));
      case "any":
        return set(
          rule.rules.map((each) => this.#inFull(this.#of(each, among))).reduce((all, some) => all.or(some)),
        );
    }
  }

  /** Cheap rules first; the others are checked only for those who are left, and not at all once nobody is. */
  #allOf(rules: readonly Rule[], among: ContactBits | null): ContactBits {
    let left = among;
    for (const rule of rules.toSorted((a, b) => costOf(a) - costOf(b))) {
      const { bits, isContrary } = this.#of(rule, left);
      if (isContrary) left = (left ?? this.population.everybody).without(bits);
      else left = left === null ? bits : left.and(bits);
      if (left.isEmpty) break;
    }
    return left ?? this.population.everybody;
  }

  #ofCondition(condition: Condition, among: ContactBits | null): SetOrContrary {
    switch (condition.on) {
      case "text":
        return this.#text(condition, among);
      case "tag":
        return { bits: this.#tagged(condition.tag), isContrary: !condition.is };
      case "list":
        return { bits: this.onList(condition.listId), isContrary: !condition.is };
      case "segment":
        return { bits: this.inSegment(condition.segmentId), isContrary: !condition.is };
      case "createdAt":
        return this.#created(condition.test, among);
      case "attribute": {
        const { test, isContrary } = withoutNot(condition.test);
        return { bits: attributeSet(this.population, condition.name, test, among), isContrary };
      }
      case "score":
        return scoreSet(this.population, condition.test);
      case "event":
        return eventSet(this.population, condition, among);
      case "received":
      case "opened":
      case "clicked":
        return { bits: mailSet(this.population, condition), isContrary: !condition.is };
    }
  }

  #text({ field, test: given }: TextCondition, among: ContactBits | null): SetOrContrary {
    const { test, isContrary } = withoutNot(given);
    if (field === "status") {
      const status = CONTACT_STATUSES.find((each) => "value" in test && each === test.value);
      return {
        bits: status === undefined ? this.population.nobody() : this.population.withStatus(status),
        isContrary,
      };
    }
    const sql = textSql(field, test);
    if (sql === null) return { bits: this.population.nobody(), isContrary };
    // By the index of addresses, which are stored folded.
    if (field === "email" && test.op === "equals") return { bits: this.withAddress([sql.value]), isContrary };
    return { bits: this.#contacts(sql.where, { value: sql.value }, among), isContrary };
  }

  #created(test: DateTest, among: ContactBits | null): SetOrContrary {
    const { now } = this.population;
    switch (test.op) {
      case "before":
        return set(this.#contacts("c.created_at < $at", { at: test.at }, among));
      case "after":
        return set(this.#contacts("c.created_at > $at", { at: test.at }, among));
      case "withinDays":
      case "notWithinDays": {
        const since = now - test.days * DAY_MS;
        const where = "c.created_at >= $since AND c.created_at <= $now";
        const bits = this.#contacts(where, { since, now }, among);
        return { bits, isContrary: test.op === "notWithinDays" };
      }
    }
  }

  #tagged(tag: string): ContactBits {
    return this.population.sweepContacts(
      `SELECT contact AS found FROM contact_tags
       WHERE workspace = $workspace AND tag = $tag AND status IN ${STATUSES} AND contact > $after AND contact <= $through`,
      { tag },
    );
  }

  /** With any status. A deleted list has no contacts. */
  onList(listId: string): ContactBits {
    const { sqlite, workspace } = this.population;
    const list = sqlite
      .query<Row<typeof lists, "seq">, [number, string]>(
        "SELECT seq FROM lists WHERE workspace = ? AND id = ?",
      )
      .get(workspace, listId);
    if (list === null) return this.population.nobody();
    return this.population.sweepContacts(
      `SELECT contact AS found FROM list_members
       WHERE list = $list AND status IN ${STATUSES} AND contact > $after AND contact <= $through`,
      { list: list.seq },
    );
  }

  /** Looked up once, however many conditions and segments refer to it. A deleted segment has no contacts. */
  inSegment(segmentId: string): ContactBits {
    const known = this.#known.get(segmentId);
    if (known !== undefined) return known;
    const { sqlite, workspace } = this.population;
    const row = sqlite
      .query<{ rules: Value<typeof segments, "rules"> }, [number, string]>(
        "SELECT rules FROM segments WHERE workspace = ? AND id = ?",
      )
      .get(workspace, segmentId);
    const bits = row === null ? this.population.nobody() : this.ofRule(storedRule(JSON.parse(row.rules)));
    this.#known.set(segmentId, bits);
    return bits;
  }

  /** Contacts whose address is suppressed. */
  get suppressed(): ContactBits {
    return this.population.sweepContacts(
      `SELECT c.seq AS found FROM suppressions AS s CROSS JOIN contacts AS c ON c.workspace = s.workspace AND c.email = s.address
       WHERE s.workspace = $workspace AND c.seq > $after AND c.seq <= $through`,
      {},
    );
  }

  /** Contacts whose address is on a blocked domain. */
  get onBlockedDomain(): ContactBits {
    const { sqlite, workspace } = this.population;
    const domains = sqlite.query<object, [number]>(
      "SELECT 1 FROM blocked_domains WHERE workspace = ? LIMIT 1",
    );
    if (domains.get(workspace) === null) return this.population.nobody();
    return this.#contacts(
      `substr(c.email, instr(c.email, '@') + 1) IN (SELECT domain FROM blocked_domains WHERE workspace = $workspace)`,
      {},
    );
  }

  /** How many of these contacts have an address in the domains of each group. One pass. */
  countByDomain(among: ContactBits, groups: readonly (readonly string[])[]): number[] {
    const groupOf = Object.fromEntries(groups.flatMap((domains, i) => domains.map((domain) => [domain, i])));
    const counts = groups.map(() => 0);
    const { sqlite, workspace, newest } = this.population;
    const sql = `SELECT c.seq AS contact, g.value AS place FROM contacts AS c
      CROSS JOIN json_each($groups) AS g ON g.key = substr(c.email, instr(c.email, '@') + 1)
      WHERE c.workspace = $workspace AND c.seq > $after AND c.seq <= $through`;
    const values = { workspace, groups: JSON.stringify(groupOf) };
    const all = { sql, values, after: 0, through: newest };
    const count = (contact: number, [place = []]: readonly (readonly unknown[])[], row: number): void => {
      const group = Number(place[row]);
      if (among.has(contact)) counts[group] = (counts[group] ?? 0) + 1;
    };
    sweepRows(sqlite, all, ["place"], count, OF_NUMBERS);
    return counts;
  }

  withAddress(emails: readonly string[]): ContactBits {
    const { sqlite, workspace } = this.population;
    const bits = this.population.nobody();
    const rows = sqlite
      .query<Row<typeof contacts, "seq">, [string, number]>(
        "SELECT c.seq FROM json_each(?) AS wanted CROSS JOIN contacts AS c ON c.workspace = ?2 AND c.email = wanted.value",
      )
      .all(JSON.stringify(emails), workspace);
    bits.addAll(rows.map(({ seq }) => seq));
    return bits;
  }

  /**
   * Contacts, read in the order of the file if the workspace has many of them, otherwise found by the index.
   * Candidates are looked up: that costs hardly more than skipping them.
   */
  #contacts(where: string, values: Values, among: ContactBits | null = null): ContactBits {
    const { newest, size } = this.population;
    if (among !== null) {
      const sql = `SELECT c.seq AS found FROM ${CANDIDATES} CROSS JOIN contacts AS c ON c.seq = w.value
        WHERE c.workspace = $workspace AND ${where}`;
      return this.population.sweepContacts(sql, values, among);
    }
    const source =
      size > newest / 4
        ? "contacts AS c NOT INDEXED WHERE c.workspace = $workspace"
        : `contacts AS c INDEXED BY contacts_by_status WHERE c.workspace = $workspace AND c.status IN ${STATUSES}`;
    return this.population.sweepContacts(
      `SELECT c.seq AS found FROM ${source} AND c.seq > $after AND c.seq <= $through AND ${where}`,
      values,
    );
  }
}

const STATUSES = `(${CONTACT_STATUSES.map((status) => `'${status}'`).join(", ")})`;

type TextCondition = Extract<Condition, { on: "text" }>;

const set = (bits: ContactBits): SetOrContrary => ({ bits, isContrary: false });
