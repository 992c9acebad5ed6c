import type { ImportColumnType, ImportEncoding, ImportOptions, ImportPreview } from "../../api/api.gen.ts";
import { quoted } from "./file-rows.ts";

/**
 * How a file will be imported, while somebody decides. Pure: the screen shows it, and `optionsOf` turns it into the
 * API's options.
 */
export type ImportPlan = Decisions & {
  readonly columns: ImportPreview["columns"];
  /** The tool that wrote the file, if it was recognized and nobody has changed a column. */
  readonly source: ImportPreview["source"];
  /** The tool that wrote the file. Whoever left there stays out, also where the columns are chosen. */
  readonly tool: ImportPreview["source"];
  /** By header; null: leave the column out. */
  readonly fields: Readonly<Record<string, string | null>>;
  /** By header, what the values are kept as, where the column becomes an attribute. */
  readonly types: Readonly<Record<string, ImportColumnType>>;
};

/** What is decided for the whole file, whatever its columns are called. */
export type Decisions = {
  /** Empty: not decided. */
  readonly status: "" | "SUBSCRIBED" | "PENDING" | "UNSUBSCRIBED";
  readonly listIds: readonly string[];
  readonly existing: "update" | "keep";
  readonly startAutomations: boolean;
  /** How the file's letters are written, if somebody chose it; null: as the server finds it. */
  readonly encoding: ImportEncoding | null;
};

export type PlanProblem =
  | { readonly code: "noHeader" }
  | { readonly code: "titleRow" }
  | { readonly code: "noEmail" }
  | { readonly code: "twice"; readonly field: string }
  | { readonly code: "agreedChoose" };

export const PLAIN_FIELDS = [
  "email",
  "firstName",
  "lastName",
  "name",
  "tags",
  "tagsByComma",
  "status",
  "consentAt",
  "consentIp",
  "confirmedAt",
  "confirmedIp",
] as const;

/** What says who left, and who gets mail. Several columns may. */
export const WHO_LEFT_FIELDS = ["unsubscribed", "bounced", "subscribed", "optedIn"] as const;

const saysWhoLeft = (field: string): boolean => WHO_LEFT_FIELDS.some((known) => known === field);

/** Whether a column says of people that they left, other than a known tool's own. */
export const hasWhoLeft = ({ fields }: ImportPlan): boolean =>
  Object.values(fields).some((field) => field !== null && saysWhoLeft(field));

/** Tools whose files contain the status of each person. */
const SAYS_STATUS: readonly string[] = ["postrider", "listmonk", "keila"];

export const NOTHING_DECIDED: Decisions = {
  status: "",
  listIds: [],
  existing: "update",
  startAutomations: false,
  encoding: null,
};

/** The server's suggestions for the columns. */
export function newPlan(
  { columns, source }: ImportPreview,
  { status, listIds, existing, startAutomations, encoding } = NOTHING_DECIDED,
): ImportPlan {
  const fields = Object.fromEntries(columns.map(({ header, suggested }) => [header, suggested]));
  const types = Object.fromEntries(columns.map(({ header, type = "text" }) => [header, type]));
  return {
    columns,
    source,
    tool: source,
    fields,
    types,
    status,
    listIds,
    existing,
    startAutomations,
    encoding,
  };
}

/** Changes the field of a column. From then on the columns count as they are chosen, not as a tool means them. */
export const withField = (plan: ImportPlan, header: string, field: string | null): ImportPlan => ({
  ...plan,
  source: null,
  fields: { ...plan.fields, [header]: field },
});

/** What is offered for a column: any type for an attribute, and for a time of consent those of dates. */
export function typesFor<T extends string>({ fields }: ImportPlan, header: string, all: readonly T[]): T[] {
  const field = fields[header] ?? "";
  if (field.startsWith("attributes.")) return [...all];
  return ["consentAt", "confirmedAt"].includes(field) ? all.filter((type) => type.startsWith("date")) : [];
}

/** Only an attribute and a time of consent have a type; null where the column becomes something else. */
export function typeOf(plan: ImportPlan, header: string): ImportColumnType | null {
  const type = plan.types[header] ?? "text";
  const fitting = typesFor(plan, header, [type]);
  if (fitting.length > 0) return type;
  return typesFor(plan, header, ["date"]).length > 0 ? "date" : null;
}

export const withType = (plan: ImportPlan, header: string, type: ImportColumnType): ImportPlan => ({
  ...plan,
  types: { ...plan.types, [header]: type },
});

type Tool = Exclude<ImportPlan["tool"], "postrider" | null>;

/** Columns in which a tool's file says who left there. listmonk's has only those who were blocked. */
const SAYS_WHO_LEFT: Readonly<Record<Tool, RegExp | null>> = {
  listmonk: null,
  mailchimp: /^(?:UNSUB|CLEAN)_TIME$/,
  brevo: /^_?(?:email[_ ]?)?(?:black|block)listed$/i,
  keila: /^Status$/,
  substack: /^email_disabled$/,
};

/**
 * What a file of another tool says of those who left there. `told`: who did, and they stay out. `hidden`:
 * nothing, so they look like subscribers. Null: no file of another tool.
 */
export function leftThere({ tool, columns }: ImportPlan): { tool: Tool; is: "told" | "hidden" } | null {
  if (tool === null || tool === "postrider") return null;
  const isTold = columns.some(({ header }) => SAYS_WHO_LEFT[tool]?.test(header));
  return { tool, is: isTold ? "told" : "hidden" };
}

/** The tool whose file does not say who left, where this plan subscribes people. */
export function mayBringBack(plan: ImportPlan): Tool | null {
  const left = leftThere(plan);
  const isSubscribing = plan.status === "" || plan.status === "SUBSCRIBED";
  return left?.is === "hidden" && isSubscribing ? left.tool : null;
}

/** Whether the tool's own column decides, and `status` is for those who get mail there: SUBSCRIBED if nobody chooses. */
export const hasToolStatus = ({ source }: ImportPlan): boolean =>
  source !== null && source !== "postrider" && SAYS_STATUS.includes(source);

/** Whether rows bring a status of their own. */
export const hasStatus = ({ source, fields }: ImportPlan): boolean =>
  (source !== null && SAYS_STATUS.includes(source)) || Object.values(fields).includes("status");

/** What can be chosen for a column: the fields, its own suggestion, and the attributes that are in use. */
export function choicesFor(plan: ImportPlan, header: string, attributes: readonly string[]): string[] {
  const suggested = plan.columns.find((column) => column.header === header)?.suggested ?? null;
  const own = suggested?.startsWith("attributes.") ? [suggested] : [];
  const made = own.length > 0 ? own : [`attributes.${attributeNameOf(header)}`];
  const inUse = attributes.map((name) => `attributes.${name}`);
  return [...new Set([...PLAIN_FIELDS, ...WHO_LEFT_FIELDS, ...made, ...inUse])];
}

/** A header as the name of an attribute. */
function attributeNameOf(header: string): string {
  const name = header
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(/\W+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .slice(0, 60);
  return /^[A-Za-z]/.test(name) ? name : `a_${name}`;
}

const TYPED_ADDRESS_MAX = 320;

/** Not the name of a column: the first row is a person, who would be lost. As the server tells it. */
export const isPerson = (header: string): boolean =>
  header.length <= TYPED_ADDRESS_MAX && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(header);

/**
 * Whether the first row is a title above the names, as spreadsheets often have: the names are then read as a person.
 * Columns without a name cannot be told apart, so choosing one for the address chooses them all. Where the title stands
 * above the addresses, the name of their column is the first of them; the other columns would be left out.
 */
function hasTitleRow({ columns, fields }: ImportPlan): boolean {
  const unnamed = columns.filter(({ header, samples }) => header.trim() === "" && samples.length > 0);
  const addresses = columns.find(({ header }) => header.trim() !== "" && fields[header] === "email");
  if (addresses === undefined) return unnamed.length > 1;
  return unnamed.length > 0 && addresses.samples[0]?.includes("@") === false;
}

/** Why it cannot be imported like this. */
export function planProblems(plan: ImportPlan): PlanProblem[] {
  if (plan.columns.some(({ header }) => isPerson(header))) return [{ code: "noHeader" }];
  if (hasTitleRow(plan)) return [{ code: "titleRow" }];
  const fields = Object.values(plan.fields).filter((field) => field !== null);
  const twice = fields.find((field, i) => fields.indexOf(field) !== i && !saysWhoLeft(field));
  return [
    ...(plan.source === null && !fields.includes("email") ? [{ code: "noEmail" } as const] : []),
    ...(twice === undefined ? [] : [{ code: "twice", field: twice } as const]),
    ...(plan.status === "" && !hasStatus(plan) ? [{ code: "agreedChoose" } as const] : []),
  ];
}

export const encodingOption = (encoding: ImportPlan["encoding"]): Pick<ImportOptions, "encoding"> =>
  encoding === null ? {} : { encoding };

/** The plan as the part `options` of an import. */
export function optionsOf(plan: ImportPlan): ImportOptions {
  const { columns, source, fields, status, listIds, existing, startAutomations, encoding } = plan;
  const types = columns.flatMap(({ header }) => {
    const type = typeOf(plan, header);
    return type === null || type === "text" ? [] : [[header, type] as const];
  });
  return {
    ...encodingOption(encoding),
    ...(source === null ? { mapping: fields } : { unknownColumns: "attributes" }),
    ...(types.length === 0 ? {} : { types: Object.fromEntries(types) }),
    ...(status === "" ? {} : { status }),
    ...(listIds.length === 0 ? {} : { listIds: [...listIds] }),
    existing,
    startAutomations,
  };
}

/** Messages about rows as a CSV file that spreadsheets read; nothing in it is run as a formula. */
export function messagesAsCsv(
  head: readonly [string, string],
  rows: readonly { line: number; message: string }[],
): string {
  const lines = rows.map(({ line, message }) => `${line},${quoted(message)}`);
  return [head.map(quoted).join(","), ...lines, ""].join("\r\n");
}
