import type { Instant } from "#core/clock.ts";
import { invalid, type Result } from "#core/errors.ts";
import type { MailingContent, OwedMessage } from "#deliveries/ledger.ts";
import {
  compileLetter,
  recipientOf,
  staticLetter,
  type Composed,
  type Letter,
  type LetterOf,
  type LetterSource,
} from "#deliveries/letter.ts";
import type { LedgerStore, MailingUnderWay } from "#deliveries/store.ts";
import { LITTLE, NeedsThread } from "#mail/liquid/allowance.ts";
import { isBriefHtml } from "#mail/letter/brief.ts";
import type { LiquidPiece } from "#mail/liquid/liquid.ts";
import type { MarketingLetter } from "#mail/letter/marketing-mail.ts";
import { oneAfterAnother } from "#scheduler/loop-turns.ts";
import type { RunStore } from "#automations/run/store.ts";
import { letterShapes } from "./letter-shapes.ts";
import { liquidScope, mailTemplate, type LiquidSource, type MailInPieces } from "./mail-content.ts";

type Parts = LetterSource & {
  /** The values for a message; null where its contact is gone. */
  liquidSource(message: number): Promise<LiquidSource | null>;
  /** Records the addresses of a message's links, before the message goes out. */
  saveLinks(mailing: number, message: number, links: readonly string[]): Promise<void>;
  /** Of this letter's own: messages alike wait for the first of them to be compiled. */
  readonly inTurn: ReturnType<typeof oneAfterAnother>;
  /** Compiled letters, of all mailings together. */
  readonly shapes: ReturnType<typeof letterShapes>;
};

type Finished = { readonly composed: Composed | Promise<Composed>; readonly links: readonly string[] };

/** Longer values are encoded in a thread, together with the rest of their message. */
const VALUES_MAX = 64 * 1024;

/** The letters of automations. */
export function automationLetters(
  runs: Pick<RunStore, "liquidSource">,
  ledger: Pick<LedgerStore, "content" | "saveMessageLinks">,
  source: LetterSource,
): LetterOf {
  const { liquidSource } = runs;
  const shared = { ...source, liquidSource, saveLinks: ledger.saveMessageLinks, shapes: letterShapes() };
  return async (mailing) => {
    const content = await ledger.content(mailing.number);
    return automationLetter(mailing, content, { ...shared, inTurn: oneAfterAnother() });
  };
}

/**
 * The letter of a mailing of kind `automation`. Liquid is filled in when a message goes out, with the
 * contact's values of that moment. The letter is compiled once for all messages whose templates wrote the
 * same text around their values. Composing rejects with WorkLate.
 */
export function automationLetter(mailing: MailingUnderWay, content: MailingContent, parts: Parts): Letter {
  const { inTurn, secret, work } = parts;
  const { workspaceId } = mailing;
  const template = mailTemplate(content);
  const shapeOf = shapeFinder(mailing, content, parts);
  /** Whether every message is made in a thread: from its template, or from its HTML. */
  let [fillsInThread, compilesEach] = [false, false];

  const fill = async (source: LiquidSource): Promise<Result<MailInPieces>> => {
    const scope = liquidScope(source);
    try {
      if (!fillsInThread) return template.pieces(scope, LITTLE);
    } catch (error) {
      if (!(error instanceof NeedsThread)) throw error;
      fillsInThread = true;
    }
    const { subject, html } = content;
    return await work.run(workspaceId, "fill", { subject, html, scope });
  };

  const compileEach = async (
    { subject, html: pieces }: MailInPieces,
    message: OwedMessage,
    date: Instant,
  ): Promise<Finished> => {
    const html = pieces.map((piece) => (typeof piece === "string" ? piece : piece.value)).join("");
    compilesEach = !isBriefHtml(html);
    const letter = await inTurn(() => staticLetter(mailing, { ...content, subject, html }, parts));
    return { links: letter.links, composed: letter.compose(message, date) };
  };

  const finish = async (filled: MailInPieces, message: OwedMessage, date: Instant): Promise<Finished> => {
    const shape = await shapeOf(filled.html);
    const values = filled.html.filter((piece) => typeof piece !== "string").map(({ value }) => value);
    const length = values.reduce((sum, value) => sum + value.length, 0);
    if (shape === null || length > VALUES_MAX) return await compileEach(filled, message, date);
    const recipient = recipientOf(secret, content, message, date);
    const { subject } = filled;
    return { links: shape.links(values), composed: shape.compose(recipient, { subject, values }) };
  };

  return {
    envelopeSender: content.from.address,
    get isSlow() {
      return fillsInThread || compilesEach;
    },
    async compose(message, date) {
      const source = await parts.liquidSource(message.number);
      if (source === null) return invalid("The contact is gone.");
      const filled = await fill(source);
      if (!filled.ok) return filled;
      const { links, composed } = await finish(filled.value, message, date);
      await parts.saveLinks(mailing.number, message.number, links);
      return composed;
    },
  };
}

/** The compiled letter for these pieces, compiled at most once. Null: its messages are compiled one by one. */
function shapeFinder(mailing: MailingUnderWay, content: MailingContent, parts: Parts) {
  const { inTurn, shapes } = parts;
  return async (pieces: readonly LiquidPiece[]): Promise<MarketingLetter | null> => {
    const known = shapes.find(mailing.number, pieces);
    if (known !== undefined) return known.letter;
    return await inTurn(async () => {
      const meanwhile = shapes.find(mailing.number, pieces);
      if (meanwhile !== undefined) return meanwhile.letter;
      const compiled = await compileLetter(mailing, content, { html: pieces, subject: null }, parts);
      // HTML that cannot be compiled: each message is compiled on its own, and fails with its reason.
      const letter = compiled.ok ? compiled.value : null;
      shapes.add(mailing.number, pieces, letter);
      return letter;
    });
  };
}
