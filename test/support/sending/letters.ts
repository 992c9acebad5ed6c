/** Letters that are made without threads. In a server, a thread makes the first half (src/work). */
import { accept, unwrap, type Result } from "#core/errors/errors.ts";
import type { LiquidPiece } from "#mail/liquid/liquid.ts";
import { writeMarketing } from "#mail/letter/marketing/marketing-letter.ts";
import { readyMarketing } from "#mail/letter/marketing/marketing-message.ts";
import type {
  MarketingFrame,
  MarketingLetter,
  MarketingSource,
} from "#mail/letter/marketing/marketing-mail.ts";
import { writeTransactional, type TransactionalSource } from "#mail/letter/single/transactional-mail.ts";
import { readyTransactional, type CompiledTransactional } from "#mail/letter/single/transactional-message.ts";
import { asciiText } from "#mail/mime/ascii.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";

/** A letter with the same words for everybody. */
export function compileMarketing(source: MarketingSource): MarketingLetter {
  const template = { ...source, html: [source.html] };
  return readyMarketing(template, writeMarketing(template)!);
}

/** A letter whose template wrote these pieces; null where each message must be compiled on its own. */
export function compileFilled(frame: MarketingFrame, html: readonly LiquidPiece[]): MarketingLetter | null {
  const template = { ...frame, html, subject: null };
  const written = writeMarketing(template);
  return written === null ? null : readyMarketing(template, written);
}

export function compileTransactional(source: TransactionalSource): Result<CompiledTransactional> {
  const written = writeTransactional(source);
  return written.ok ? accept(readyTransactional(written.value)) : written;
}

/** The text of a message that could be composed. */
export const composedText = (composed: Result<FinishedMessage>): string => asciiText(unwrap(composed).bytes);
