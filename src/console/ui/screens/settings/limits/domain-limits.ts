import type { Settings } from "../../../api/api.gen.ts";

type Limits = NonNullable<Settings["domainLimits"]>;

/** One line for each provider: `gmail.com,googlemail.com 2000/hour 5 connections`, as on the command line. */
const LINE = /^(?<domains>\S+)(?:\s+(?<perHour>\d+)\/hour)?(?:\s+(?<connections>\d+)\s+connections?)?$/;

export const limitLines = (limits: Limits | null): string =>
  Object.entries(limits ?? {})
    .map(([domains, { perHour, connections }]) =>
      [
        domains,
        ...(perHour === undefined ? [] : [`${perHour}/hour`]),
        ...(connections === undefined ? [] : [`${connections} connections`]),
      ].join(" "),
    )
    .join("\n");

/** The typed text as the setting; null if it is empty. The first line that cannot be read is returned instead. */
export function readLimits(
  text: string,
): { readonly limits: Limits | null } | { readonly unreadable: string } {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const limits: Limits = {};
  for (const line of lines) {
    const { domains, perHour, connections } = LINE.exec(line)?.groups ?? {};
    if (domains === undefined || (perHour === undefined && connections === undefined))
      return { unreadable: line };
    limits[domains] = {
      ...(perHour === undefined ? {} : { perHour: Number(perHour) }),
      ...(connections === undefined ? {} : { connections: Number(connections) }),
    };
  }
  return { limits: lines.length === 0 ? null : limits };
}
