/** Letters that are made in one place. In a server, a thread makes the first half (src/work). */
import { accept, unwrap, type Result } from "#core/errors.ts";
import { asciiText } from "#mail/mime/ascii.ts";
import type { FinishedMessage } from "#mail/mime/finished-message.ts";
import type { LiquidPiece } from "#mail/liquid/liquid.ts";
import {
  readyMarketing,
  writeMarketing,
  type CompiledMarketing,
  type MarketingSource,
} from "#mail/letter/marketing-template.ts";
import {
  readySlotted,
  writeSlotted,
  type SlottedLetter,
  type SlottedSource,
} from "#mail/letter/slotted-letter.ts";
import {
  readyTransactional,
  writeTransactional,
  type CompiledTransactional,
  type TransactionalSource,
} from "#mail/letter/transactional-mail.ts";

export const compileMarketing = (source: MarketingSource): CompiledMarketing =>
  readyMarketing(source, writeMarketing(source));

export function compileSlotted(source: SlottedSource, pieces: readonly LiquidPiece[]): SlottedLetter | null {
  const written = writeSlotted(source, pieces);
  return written === null ? null : readySlotted(source, written);
}

export function compileTransactional(source: TransactionalSource): Result<CompiledTransactional> {
  const written = writeTransactional(source);
  return written.ok ? accept(readyTransactional(written.value)) : written;
}

/** The text of a message that could be composed. */
export const composedText = (composed: Result<FinishedMessage>): string => asciiText(unwrap(composed).bytes);
