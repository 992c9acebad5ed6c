/**
 * Files that other tools write, recognized by their headers (docs/decisions.md "Many at once"). Headers are compared as
 * they are written, unless said otherwise.
 */
import type { ImportField } from "#imports/rows/field.ts";
import { brevo } from "./brevo.ts";
import { keila } from "./keila.ts";
import { listmonk } from "./listmonk.ts";
import { mailchimp } from "./mailchimp.ts";
import { newsletterPlugin } from "./newsletter-plugin.ts";
import { postrider } from "./postrider.ts";
import type { Source } from "./source.ts";
import { substack } from "./substack.ts";

/** The first that fits counts. Brevo is the last, because one column is enough for it. */
export const SOURCES: readonly Source[] = [
  postrider,
  listmonk,
  mailchimp,
  keila,
  substack,
  newsletterPlugin,
  brevo,
];

/** The tool that wrote a file with these headers; null if none of those known. */
export function sourceOf(headers: readonly string[]): Source | null {
  const known = new Set(headers);
  return SOURCES.find((source) => source.isWrittenBy(known)) ?? null;
}

/** Whether a column is one that the tool writes. Whatever its name says to others, it says there what the tool means. */
export const isOwnColumn = (tool: Source | null, header: string): boolean =>
  tool !== null && fieldOfTool(tool, header) !== undefined;

/** Tells of each column of a file whether it says nothing, although it seems to say who agreed. */
export function optInsToIgnore(
  tool: Source | null,
  headers: readonly { readonly name: string }[],
): (header: string) => boolean {
  if (tool === null) return () => false;
  return tool.optInsToIgnore?.(new Set(headers.map((header) => header.name))) ?? (() => true);
}

/** What the tool means by a column. Null: known, but not imported. Undefined: not known. */
export function fieldOfTool({ fields, standing }: Source, header: string): ImportField | null | undefined {
  if (Object.hasOwn(fields, header)) return fields[header];
  return standing.some((rule) => rule.header.test(header)) ? null : undefined;
}
