import type { MailingContent } from "#deliveries/ledger.ts";
import { marketingLetter, type LetterSource } from "#deliveries/letter.ts";
import type { Letter } from "#deliveries/service.ts";
import type { MailingUnderWay } from "#deliveries/store.ts";
import type { oneEachTurn } from "#scheduler/loop-turns.ts";
import { fillMail, liquidScope, type LiquidSource } from "./mail-content.ts";

type Parts = LetterSource & {
  /** What a message is filled in with; null where its contact is gone. */
  liquidSource(message: number): Promise<LiquidSource | null>;
  /** Records where the links of a message lead, before it goes out. */
  saveLinks(mailing: number, message: number, links: readonly string[]): Promise<void>;
  /** A letter takes a millisecond or two to compose. */
  readonly inTurn: ReturnType<typeof oneEachTurn>;
};

/** Compiled letters by what they say: where a template fills nothing in, all messages of it are one. */
const COMPILED_MAX = 8;

/** The letter of a mailing of kind `automation`: Liquid is filled in when a message goes out, from the contact as it is then. */
export function automationLetter(mailing: MailingUnderWay, content: MailingContent, parts: Parts): Letter {
  const compiled = new Map<string, ReturnType<typeof marketingLetter>>();
  const letterOf = (filled: { subject: string; html: string }) => {
    const key = `${filled.subject}\n${filled.html}`;
    const known = compiled.get(key) ?? marketingLetter(mailing, { ...content, ...filled }, parts);
    if (compiled.size >= COMPILED_MAX) compiled.clear();
    compiled.set(key, known);
    return known;
  };

  return {
    envelopeSender: content.from.address,
    async compose(message, date) {
      const source = await parts.liquidSource(message.number);
      if (source === null) return { problem: "The contact is gone." };
      const letter = await parts.inTurn(() => {
        const filled = fillMail(content, liquidScope(source));
        return filled.ok ? letterOf(filled.value) : { problem: filled.refusal.message };
      });
      if ("problem" in letter) return letter;
      await parts.saveLinks(mailing.number, message.number, letter.links);
      return letter.compose(message, date);
    },
  };
}
