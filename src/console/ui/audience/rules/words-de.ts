import { isolated } from "../../texts/isolated.ts";
import type { RuleWords, Test } from "./sentence.ts";

/** Rules in German: „Alle, die abonniert haben und deren Vorname mit „A“ beginnt.“ */
export const germanRules: RuleWords = {
  sentence: (clause) => (clause === "" ? "Alle." : `Alle, ${clause}.`),
  all: (clauses) => joined(clauses, "und"),
  any: (clauses) => joined(clauses, "oder"),
  none: (inside) => `für die das nicht gilt: (${inside})`,
  unfinished: (field) => `mit ${field} …`,
  unknown: "auf die eine Regel passt, die man nur über die API ändern kann",
  fields: {
    status: "Status",
    tag: "Tag",
    list: "Liste",
    segment: "Segment",
    attribute: "Merkmal",
    email: "Adresse",
    domain: "Mail-Domain",
    firstName: "Vorname",
    lastName: "Nachname",
    createdAt: "Hinzugefügt am",
    received: "Bekam eine Kampagne",
    opened: "Öffnete eine Kampagne",
    clicked: "Klickte in einer Kampagne",
    event: "Ereignis",
    score: "Punkte",
  },
  quoted: (text) => `„${isolated(text)}“`,
  yesNo: (isYes) => (isYes ? "ja" : "nein"),
  status: (status, is) => STATUS[status](is ? "" : "nicht "),
  tag: (tag, is) => `die das Tag „${isolated(tag)}“ ${is ? "" : "nicht "}haben`,
  list: (name, is) => `die ${is ? "" : "nicht "}auf ${named("list", name)} stehen`,
  segment: (name, is) => `die ${is ? "" : "nicht "}in ${named("segment", name)} sind`,
  created: ({ op, value }) => {
    const not = op === "notWithinDays" ? "nicht " : "";
    return `die ${not}${dateText({ op, value })} hinzugefügt wurden`;
  },
  text: (field, test) => valueText(FIELD_NAMES[field], test),
  attribute: (name, test) =>
    valueText({ name: `Merkmal ${name}`, has: `ein Merkmal ${name}`, no: `kein Merkmal ${name}` }, test),
  score: (test) => `deren Punktzahl ${testText(test)}`,
  event: ({ name, op, count, days, where }) =>
    `die „${isolated(name)}“${within(days)} ${OFTEN[op] ?? ""}${count}-mal getan haben${where
      .map(({ property, test }, i) => `${i === 0 ? ", wobei" : " und"} ${property} ${testText(test)}`)
      .join("")}`,
  mail: ({ kind, is, isAny, name, days }) => {
    const not = is ? "" : "nicht ";
    if (isAny) return `die${within(days)} ${is ? "irgendeine" : "keine"} Kampagne ${MAIL[kind]}`;
    return `die ${named("campaign", name)}${within(days)} ${not}${MAIL[kind]}`;
  },
};

const joined = (clauses: readonly string[], word: string): string =>
  clauses.length < 3
    ? clauses.join(` ${word} `)
    : `${clauses.slice(0, -1).join(", ")} ${word} ${clauses.at(-1) ?? ""}`;

const STATUS = {
  SUBSCRIBED: (not: string) => `die ${not}abonniert haben`,
  PENDING: (not: string) => `die ${not}noch bestätigen müssen`,
  UNSUBSCRIBED: (not: string) => `die sich ${not}abgemeldet haben`,
  BOUNCED: (not: string) => `deren Adresse ${not}tot ist`,
} as const;

const FIELD_NAMES = {
  email: { name: "Adresse", has: "eine Adresse", no: "keine Adresse" },
  domain: { name: "Mail-Domain", has: "eine Mail-Domain", no: "keine Mail-Domain" },
  firstName: { name: "Vorname", has: "einen Vornamen", no: "keinen Vornamen" },
  lastName: { name: "Nachname", has: "einen Nachnamen", no: "keinen Nachnamen" },
} as const;

const THE = { list: "der Liste", segment: "dem Segment", campaign: "die Kampagne" } as const;
const GONE = {
  list: "einer gelöschten Liste",
  segment: "einem gelöschten Segment",
  campaign: "eine gelöschte Kampagne",
} as const;

const named = (kind: keyof typeof THE, name: string | null): string =>
  name === null ? GONE[kind] : `${THE[kind]} „${isolated(name)}“`;

function valueText({ name, has, no }: { name: string; has: string; no: string }, test: Test): string {
  if (test.op === "exists") return `die ${has} haben`;
  if (test.op === "notExists") return `die ${no} haben`;
  return `deren ${name} ${testText(test)}`;
}

const TESTS: Partial<Record<Test["op"], (value: string) => string>> = {
  equals: (value) => `${value} ist`,
  notEquals: (value) => `nicht ${value} ist`,
  contains: (value) => `${value} enthält`,
  notContains: (value) => `${value} nicht enthält`,
  startsWith: (value) => `mit ${value} beginnt`,
  endsWith: (value) => `mit ${value} endet`,
  greaterThan: (value) => `über ${value} liegt`,
  lessThan: (value) => `unter ${value} liegt`,
  exists: () => "da ist",
  notExists: () => "fehlt",
};

const testText = ({ op, value }: Test): string => TESTS[op]?.(value) ?? `${dateText({ op, value })} liegt`;

const dateText = ({ op, value }: Test): string => {
  if (op === "before" || op === "after") return `${op === "before" ? "vor" : "nach"} dem ${value}`;
  return `in ${lastDays(value)}`;
};

const lastDays = (days: string): string =>
  days === "1" ? "den letzten 24 Stunden" : `den letzten ${days} Tagen`;
const within = (days: string | null): string => (days === null ? "" : ` in ${lastDays(days)}`);

const OFTEN: Partial<Record<Test["op"], string>> = {
  atLeast: "mindestens ",
  atMost: "höchstens ",
  exactly: "genau ",
};
const MAIL = { received: "bekamen", opened: "öffneten", clicked: "anklickten" } as const;
