import type { Instant } from "./clock.ts";

/** As the API and other programs read a time: ISO 8601 in UTC. */
export const isoOf = (at: Instant): string => new Date(at).toISOString();

export const isoOrNull = (at: Instant | null): string | null => (at === null ? null : isoOf(at));
