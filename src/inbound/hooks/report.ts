import type { ProviderReport } from "#bounces/incoming.ts";
import { textOf } from "#core/request/loose-json.ts";
import { isSofter } from "#bounces/reading/judgment.ts";
import { looksLikeOurs } from "#deliveries/token.ts";

/** What a provider's event says about one message. Good news, and what is not final, is no report. */
export type ReportKind = Extract<
  ProviderReport["kind"],
  "hard" | "soft" | "policy" | "complaint" | "unsubscribe"
>;

const DIAGNOSTIC_CHARACTERS_MAX = 512;

/** The first of these that is not empty, on one line. */
export function lineOf(...candidates: readonly unknown[]): string {
  const lines = candidates.map((candidate) => textOf(candidate).slice(0, 4 * DIAGNOSTIC_CHARACTERS_MAX));
  const first = lines.map((line) => line.replaceAll(/\s+/g, " ").trim()).find((line) => line !== "");
  return (first ?? "").slice(0, DIAGNOSTIC_CHARACTERS_MAX);
}

/** The recipient and the message. */
type About = {
  readonly recipient: unknown;
  /** As the provider returns it; missing if the provider does not return ours. */
  readonly messageId?: unknown;
};

/**
 * Of the ids in an event, the one that looks like ours; none: "". For providers that replace our Message-ID: theirs
 * says nothing, and then the recipient counts.
 */
export const oursIn = (...ids: readonly unknown[]): string =>
  ids.map((id) => textOf(id).trim()).find(looksLikeOurs) ?? "";

type Diagnosis = {
  /** The other server's reply, or what replaces it. */
  readonly diagnostic: string;
  /** Its enhanced status code, if the provider gives it separately. */
  readonly status?: string;
};

/**
 * A report in the form that the core of bounces takes. A provider's "hard" counts only if the reply that it quotes
 * is not softer: otherwise that reply is judged, as in a delivery report. A false hard bounce cannot be undone.
 */
export function reportOf(
  kind: ReportKind,
  { recipient, messageId }: About,
  { diagnostic, status = "" }: Diagnosis,
): ProviderReport {
  return {
    kind: kind === "hard" && isSofter(status, diagnostic) ? "failed" : kind,
    recipient: textOf(recipient).trim() || null,
    messageId: textOf(messageId).trim() || null,
    status,
    diagnostic,
  };
}

/** The meaning of each word of a provider; null if it means nothing here. */
export type Kinds = Readonly<Record<string, ReportKind | null>>;

/** Undefined for a word that is not in the table. */
export const kindIn = (kinds: Kinds, word: string): ReportKind | null | undefined =>
  Object.hasOwn(kinds, word) ? kinds[word] : undefined;
