import { hasWithinDays, propertyKindOf, STATUSES, valueKindOf, type FieldKind, type Op } from "./fields.ts";
import type { Status, ValueKind } from "./fields.ts";
import { readNumber } from "../../parts/typed/typed-number.ts";
import { readRules } from "./read.ts";
import { isJsonObject } from "./model.ts";
import type { Chip, Meant, Piece, PropertyTest, RuleDraft } from "./model.ts";

/** A test of a value, with the value as people read it. */
export type Test = { readonly op: Op; readonly value: string };
type TextFieldKind = "email" | "domain" | "firstName" | "lastName";
type NamedKind = "list" | "segment" | "campaign";
type MailKind = "received" | "opened" | "clicked";

/**
 * The words of one language. Each clause can follow "Everybody" directly ("who has the tag …", "whose first name is
 * …"), so that clauses can be joined in any order. A name that is null belongs to something that was deleted.
 */
export type RuleWords = {
  /** A clause as a whole sentence; an empty clause is everybody. */
  sentence(clause: string): string;
  all(clauses: readonly string[]): string;
  any(clauses: readonly string[]): string;
  none(inside: string): string;
  /** A clause that is not finished yet, by its field. */
  unfinished(field: string): string;
  readonly unknown: string;
  readonly fields: Readonly<Record<FieldKind, string>>;
  quoted(text: string): string;
  yesNo(isYes: boolean): string;
  status(status: Status, is: boolean): string;
  tag(tag: string, is: boolean): string;
  list(name: string | null, is: boolean): string;
  segment(name: string | null, is: boolean): string;
  created(test: Test): string;
  text(field: TextFieldKind, test: Test): string;
  attribute(name: string, test: Test): string;
  score(test: Test): string;
  event(event: {
    readonly name: string;
    readonly op: Op;
    readonly count: string;
    readonly days: string | null;
    readonly where: readonly { readonly property: string; readonly test: Test }[];
  }): string;
  mail(mail: {
    readonly kind: MailKind;
    readonly is: boolean;
    readonly isAny: boolean;
    readonly name: string | null;
    readonly days: string | null;
  }): string;
};

/** What the words need besides the rules: names, and the format of numbers and dates. */
export type Naming = {
  nameOf(kind: NamedKind, id: string): string | null;
  number(value: number): string;
  date(iso: string): string;
};

/** "Everybody who is subscribed and who has the tag “vip”." */
export function sentenceOf({ root }: RuleDraft, words: RuleWords, naming: Naming): string {
  return words.sentence(root.members.length === 0 ? "" : clauseOf(root, words, naming));
}

/** One piece as a clause. */
export function clauseOf(piece: Piece, words: RuleWords, naming: Naming): string {
  if (piece.kind === "chip") return chipClause(piece, words, naming);
  if (piece.kind === "locked") return lockedClause(piece.raw, words, naming);
  const clauses = piece.members.map((member) => {
    const clause = clauseOf(member, words, naming);
    const isGroup = member.kind === "group" && member.members.length > 1 && member.mode !== "none";
    return isGroup && piece.members.length > 1 ? `(${clause})` : clause;
  });
  if (piece.mode === "none") return words.none(words.any(clauses));
  return piece.mode === "all" ? words.all(clauses) : words.any(clauses);
}

/** The only locked rule that the API writes today is a `not` around something other than `any`. */
function lockedClause(raw: Parameters<typeof readRules>[0], words: RuleWords, naming: Naming): string {
  if (!isJsonObject(raw) || raw["not"] === undefined) return words.unknown;
  return words.none(clauseOf(readRules(raw["not"]).root, words, naming));
}

function chipClause(chip: Chip, words: RuleWords, naming: Naming): string {
  const { field, op, value } = chip;
  const kind = valueKindOf(field, op);
  if (isUnfinished(chip, kind)) return words.unfinished(words.fields[field]);
  const is = op === "equals";
  const test = testOf({ op, value, meant: chip.meant }, kind, words, naming);
  const days = hasWithinDays(field) && chip.withinDays !== "" ? numberIn(chip.withinDays, naming) : null;
  switch (field) {
    case "status":
      return words.status(STATUSES.find((status) => status === value) ?? "SUBSCRIBED", is);
    case "tag":
      return words.tag(value, is);
    case "list":
      return words.list(naming.nameOf("list", value), is);
    case "segment":
      return words.segment(naming.nameOf("segment", value), is);
    case "createdAt":
      return words.created(test);
    case "score":
      return words.score(test);
    case "attribute":
      return words.attribute(chip.name, test);
    case "event":
      return words.event({
        name: chip.name,
        op,
        count: test.value,
        days,
        where: chip.where.map(whereOf(words, naming)),
      });
    case "received":
    case "opened":
    case "clicked": {
      const isAny = value === "any";
      return words.mail({
        kind: field,
        is,
        isAny,
        name: isAny ? null : naming.nameOf("campaign", value),
        days,
      });
    }
    case "email":
    case "domain":
    case "firstName":
    case "lastName":
      return words.text(field, test);
  }
}

function isUnfinished({ field, name, value }: Chip, kind: ValueKind): boolean {
  if ((field === "attribute" || field === "event") && name === "") return true;
  return kind !== "none" && value === "";
}

const whereOf =
  (words: RuleWords, naming: Naming) =>
  ({ property, op, value, meant }: PropertyTest) => ({
    property,
    test: testOf({ op, value, meant }, propertyKindOf(op), words, naming),
  });

/** What cannot be read stands there as it was typed. */
function numberIn(typed: string, naming: Naming): string {
  const number = readNumber(typed);
  return number === null ? typed : naming.number(number);
}

type TypedTest = { readonly op: Op; readonly value: string; readonly meant: Meant };

function testOf({ op, value, meant }: TypedTest, kind: ValueKind, words: RuleWords, naming: Naming): Test {
  if (kind === "none") return { op, value: "" };
  if (kind === "moment" || kind === "date") return { op, value: naming.date(value) };
  if (kind === "number" || kind === "count" || kind === "days" || meant === "number")
    return { op, value: numberIn(value, naming) };
  return { op, value: meant === "yesNo" ? words.yesNo(value === "true") : words.quoted(value) };
}
