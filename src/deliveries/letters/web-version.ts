import { authoredOf, sameForAll, wholeParts, type Letter, type LetterSource } from "#deliveries/letter.ts";
import type { LedgerStore, SentLetter } from "#deliveries/store.ts";
import { tokensOf } from "#deliveries/token.ts";
import { namesInLetter } from "#mail/letter/slots/liquid-letter.ts";
import { bytesOf } from "#mail/mime/ascii.ts";
import { oneAfterAnother } from "#core/time/event-loop.ts";
import { campaignScope, keptNames, readerUrls, type LetterValues } from "./letter-values.ts";
import { letterShapes } from "./letter-shapes.ts";
import { personalLetter } from "./personal-letter.ts";

/** The HTML of a campaign's message as it was sent to that person; null if there is nothing to show. */
export type WebVersionOf = (message: number) => Promise<string | null>;

const NOBODY: LetterValues = {
  email: "",
  firstName: "",
  lastName: "",
  tags: [],
  attributes: {},
};

/**
 * Makes the message again from its frozen letter and the values that were kept with it, without the pixel. A letter
 * without `webVersionUrl` keeps no values. If such a letter is personal, it has no web version.
 * @throws WorkLate
 */
export function webVersions(ledger: Pick<LedgerStore, "sentLetter">, source: LetterSource): WebVersionOf {
  const shapes = letterShapes();
  const inTurn = oneAfterAnother();
  return async (message) => {
    const sent = await ledger.sentLetter(message);
    if (sent === null) return null;
    const unseen = { ...sent, content: { ...sent.content, trackOpens: false } };
    const letter = await letterOf(unseen, message, { ...source, shapes, inTurn });
    if (letter === null) return null;
    const owed = {
      number: message,
      address: sent.address,
      attempts: 0,
      firstAttemptAt: sent.at,
      checkedAt: null,
    };
    const composed = await letter.compose(owed, sent.at);
    if (!composed.ok) return null;
    const { bytes } = composed.value;
    const shown = await source.work.run(sent.mailing.workspaceId, "messageTexts", bytesOf(bytes));
    return shown.ok ? shown.value.html : null;
  };
}

type Parts = LetterSource & {
  readonly shapes: ReturnType<typeof letterShapes>;
  readonly inTurn: ReturnType<typeof oneAfterAnother>;
};

async function letterOf(
  { mailing, content, kept }: SentLetter,
  message: number,
  parts: Parts,
): Promise<Letter | null> {
  const authored = authoredOf(content);
  if (content.options?.personalize !== true) return sameForAll(mailing, content, wholeParts(authored), parts);
  const names = namesInLetter(authored);
  if (!names.some(({ path }) => path[0] === "webVersionUrl")) return null;
  if (keptNames(names) !== null && kept === null) return null;
  const person = { ...NOBODY, ...(kept === null ? {} : (JSON.parse(kept) as Partial<LetterValues>)) };
  const urls = readerUrls(parts.baseUrl, tokensOf(parts.secret, message).unsubscribe);
  const scope = campaignScope(person, content.campaign?.name ?? "", urls);
  return personalLetter(mailing, content, {
    ...parts,
    needsPeople: false,
    hasReaderUrls: true,
    valuesFor: () => ({ scope, kept: null }),
    keep: () => undefined,
  });
}
