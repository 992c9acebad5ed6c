import type { Quantity } from "../texts/counted.ts";
import type { Texts } from "../texts/en/index.ts";
import { readLines } from "./condition-lines.ts";
import type { Flow, FlowNode, Way } from "./flow.ts";
import { kindOf } from "./node-kind.ts";

/** What the words of a node need besides the node. */
export type Wording = {
  readonly texts: Texts["automations"];
  quantity(value: number): Quantity;
  dateTime(at: string): string;
  /** The name of a list; null where there is none. */
  listName(id: string): string | null;
  /** The subject of a mail of the flow, by its step's id: empty where it has none yet, null where there is no such mail. */
  mailSubject(id: string): string | null;
};

/** The verb of a node: "Wait", "Send a mail". */
export function nodeTitle(node: FlowNode, { texts }: Pick<Wording, "texts">): string {
  const kind = kindOf(node);
  return kind === null ? texts.unknownKind(node.type) : texts.kinds[kind];
}

/** What a way out of a condition is called; null for the one way out of another node. */
export const wayWord = ({ texts }: Pick<Wording, "texts">, way: Way): string | null =>
  way === null ? null : way === "true" ? texts.yes : texts.no;

/** One line with the details: "2 days", or the subject of the mail. */
export function nodeSummary(node: FlowNode, wording: Wording): string {
  const { summary } = wording.texts;
  const { data } = node;
  const chosen = (member: string): string => textIn(data[member]) || summary.notChosen;
  switch (kindOf(node)) {
    case "newSubscriber":
      return summary.newSubscriber;
    case "customEvent":
      return textIn(data["eventName"]) === "" ? summary.notChosen : summary.customEvent(chosen("eventName"));
    case "wait":
      return waitSummary(node, wording);
    case "condition":
      return conditionSummary(node, wording);
    case "sendEmail":
      return textIn(data["subject"]) || summary.noSubject;
    case "tagAdded":
    case "addTag":
    case "removeTag":
      return chosen("tag");
    case "addToList":
    case "removeFromList":
      return listSummary(textIn(data["listId"]), wording);
    case "setField":
      return fieldSummary(node, wording);
    case "webhook":
      return chosen("url");
    case "unsubscribe":
      return summary.unsubscribe;
    case "end":
      return summary.end;
    case null:
      return node.id;
  }
}

/** The ids of the lists that a flow names, for their names. */
export const listIdsIn = ({ nodes }: Flow): string[] =>
  nodes.flatMap(({ data }) => {
    const asked = readLines(data)?.lines.filter(({ field }) => field === "list") ?? [];
    return [data["listId"], ...asked.map(({ value }) => value)].map(textIn).filter((id) => id !== "");
  });

/** The subject of the mail that a step sends, empty where it has none yet; null where no step of this id sends one. */
export function mailSubjectIn({ nodes }: Flow, id: string): string | null {
  const node = nodes.find((each) => each.id === id && kindOf(each) === "sendEmail");
  return node === undefined ? null : textIn(node.data["subject"]);
}

/** A text, a number or a switch as a text; empty for everything else. */
export const scalarText = (value: unknown): string =>
  typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";

const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

function listSummary(id: string, { texts, listName }: Wording): string {
  if (id === "") return texts.summary.notChosen;
  return listName(id) ?? texts.summary.gone(id);
}

function waitSummary({ data }: FlowNode, { texts, quantity, dateTime }: Wording): string {
  const { summary } = texts;
  const until = textIn(data["until"]);
  if (until !== "") return Number.isNaN(Date.parse(until)) ? until : summary.waitUntil(dateTime(until));
  const { amount, unit } = data;
  const known = Object.entries(summary.waitFor).find(([name]) => name === unit);
  return typeof amount === "number" && known !== undefined ? known[1](quantity(amount)) : summary.notChosen;
}

function conditionSummary({ data }: FlowNode, wording: Wording): string {
  const { texts, quantity } = wording;
  const read = readLines(data);
  if (read === null) return texts.unknownKind("condition");
  const [only, ...others] = read.lines;
  if (only === undefined) return texts.summary.notChosen;
  if (others.length > 0) return texts.summary[read.match](quantity(read.lines.length));
  const value = scalarText(only.value);
  if (only.op === "exists" && (only.field === "opened" || only.field === "clicked")) {
    const mail = wording.mailSubject(value);
    if (mail === null) return texts.summary.notChosen;
    return texts.summary[only.field](mail || texts.summary.noSubject);
  }
  const op = Object.entries(texts.ops).find(([name]) => name === only.op)?.[1] ?? only.op;
  const subject = Object.entries(texts.subjects).find(([name]) => name === only.field)?.[1] ?? only.field;
  const shown = only.field === "list" ? listSummary(value, wording) : value;
  return [subject, shown === "" || only.op !== "exists" ? op : "", shown]
    .filter((word) => word !== "")
    .join(" ");
}

function fieldSummary({ data }: FlowNode, { texts }: Wording): string {
  const field = textIn(data["field"]);
  const value = Array.isArray(data["value"]) ? data["value"].join(", ") : scalarText(data["value"]);
  const { panel, summary } = texts;
  const named =
    { firstName: panel.firstName, lastName: panel.lastName }[field] ?? field.replace(/^attributes\./, "");
  if (named === "") return summary.notChosen;
  return value === "" ? summary.clears(named) : summary.sets(named, value);
}
