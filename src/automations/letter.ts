import type { Instant } from "#core/clock.ts";
import type { MailingContent, OwedMessage } from "#deliveries/ledger.ts";
import { marketingLetter, recipientOf, sourceOf, type LetterSource } from "#deliveries/letter.ts";
import type { Composed, Letter } from "#deliveries/mailings.ts";
import type { MailingUnderWay } from "#deliveries/store.ts";
import type { LiquidPiece } from "#mail/liquid.ts";
import { compileSlotted, type SlottedLetter } from "#mail/slotted-letter.ts";
import type { oneEachTurn } from "#scheduler/loop-turns.ts";
import { liquidScope, mailTemplate, type LiquidSource } from "./mail-content.ts";
import type { letterShapes } from "./letter-shapes.ts";

type Parts = LetterSource & {
  /** What a message is filled in with; null where its contact is gone. */
  liquidSource(message: number): Promise<LiquidSource | null>;
  /** Records where the links of a message lead, before it goes out. */
  saveLinks(mailing: number, message: number, links: readonly string[]): Promise<void>;
  /** To compile a letter takes some milliseconds. */
  readonly inTurn: ReturnType<typeof oneEachTurn>;
  /** Compiled letters, of all mailings together. */
  readonly shapes: ReturnType<typeof letterShapes>;
};

type Finished = { readonly composed: Composed | Promise<Composed>; readonly links: readonly string[] };

/**
 * The letter of a mailing of kind `automation`: Liquid is filled in when a message goes out, from the contact as it is then. The letter
 * is compiled once for all messages whose templates wrote the same text around their values.
 */
export function automationLetter(mailing: MailingUnderWay, content: MailingContent, parts: Parts): Letter {
  const { inTurn, shapes, secret, baseUrl } = parts;
  const template = mailTemplate(content);

  const shapeOf = async (pieces: readonly LiquidPiece[]): Promise<SlottedLetter | null> => {
    const known = shapes.find(mailing.number, pieces);
    if (known !== undefined) return known.letter;
    return await inTurn(() => {
      const meanwhile = shapes.find(mailing.number, pieces);
      if (meanwhile !== undefined) return meanwhile.letter;
      const letter = compiledOrNot(mailing, content, baseUrl, pieces);
      shapes.add(mailing.number, pieces, letter);
      return letter;
    });
  };

  const finish = async (
    filled: { readonly subject: string; readonly html: readonly LiquidPiece[] },
    message: OwedMessage,
    date: Instant,
  ): Promise<Finished> => {
    const shape = await shapeOf(filled.html);
    const values = filled.html.filter((piece) => typeof piece !== "string").map(({ value }) => value);
    if (shape === null) {
      const html = filled.html.map((piece) => (typeof piece === "string" ? piece : piece.value)).join("");
      const letter = await inTurn(() =>
        marketingLetter(mailing, { ...content, subject: filled.subject, html }, parts),
      );
      return { links: letter.links, composed: letter.compose(message, date) };
    }
    const composed = shape.compose(filled.subject, values, recipientOf(secret, content, message, date));
    return {
      links: shape.links(values),
      composed: composed.ok ? { bytes: composed.value } : { problem: composed.refusal.message },
    };
  };

  return {
    envelopeSender: content.from.address,
    async compose(message, date) {
      const source = await parts.liquidSource(message.number);
      if (source === null) return { problem: "The contact is gone." };
      const filled = template.pieces(liquidScope(source));
      if (!filled.ok) return { problem: filled.refusal.message };
      const { links, composed } = await finish(filled.value, message, date);
      await parts.saveLinks(mailing.number, message.number, links);
      return composed;
    },
  };
}

/** HTML that no part of the compiler can bear is left to the one that says so message by message. */
function compiledOrNot(
  mailing: MailingUnderWay,
  content: MailingContent,
  baseUrl: string,
  pieces: readonly LiquidPiece[],
): SlottedLetter | null {
  try {
    return compileSlotted(sourceOf(mailing, content, baseUrl), pieces);
  } catch {
    return null;
  }
}
