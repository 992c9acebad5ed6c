import type { MailingContent } from "#deliveries/ledger.ts";
import {
  authoredOf,
  sameForAll,
  wholeParts,
  type Letter,
  type LetterOf,
  type LetterSource,
} from "#deliveries/letter.ts";
import type { Clock } from "#core/time/clock.ts";
import { thenSoon } from "#core/time/soon.ts";
import type { LedgerStore, MailingUnderWay } from "#deliveries/store.ts";
import { mjmlJob } from "#mail/letter/letter-options.ts";
import { namesInLetter } from "#mail/letter/slots/liquid-letter.ts";
import { oneAfterAnother } from "#core/time/event-loop.ts";
import { campaignScope, keptNames, keptValues, namesReaderUrls, readerUrls } from "./letter-values.ts";
import { letterShapes } from "./letter-shapes.ts";
import { personalLetter } from "./personal-letter.ts";
import { lasting } from "#work/pool.ts";
import { inTries } from "#work/tries.ts";

/** Mailings whose letter was refused for now. */
const REFUSED_MAX = 1_000;

type Ledger = Pick<
  LedgerStore,
  "content" | "saveContent" | "saveLinks" | "saveMessageLinks" | "people" | "saveValues"
>;

/**
 * The letters of campaigns. The targets of their links are recorded before anything is sent. With `personalize`
 * each message is filled in for its recipient; without, all messages are the same, as written. While a letter is
 * refused for now its mailing waits, because all of its messages would fail; at the last try they do.
 */
export function campaignLetters(ledger: Ledger, source: LetterSource, clock: Clock): LetterOf {
  const shapes = letterShapes();
  const tries = inTries<number>({ clock, keysMax: REFUSED_MAX });
  const compiled = async (mailing: MailingUnderWay, isLast: boolean): Promise<Letter> => {
    const content = await compiledContent(ledger, mailing, source, isLast);
    if (!("content" in content)) return content;
    if (content.content.options?.personalize === true)
      return personalCampaign(mailing, content.content, { ...source, ledger, shapes });
    const whole = wholeParts(authoredOf(content.content));
    const letter = await sameForAll(mailing, content.content, whole, source, isLast);
    await ledger.saveLinks(mailing.number, letter.links);
    return letter;
  };
  return (mailing) => tries(mailing.number, (isLast) => compiled(mailing, isLast));
}

/**
 * A letter in MJML is compiled once, and the HTML is stored in its place. So all messages are made of the same
 * HTML, even after a restart with another version of the compiler. @throws WorkLate
 */
async function compiledContent(
  ledger: Ledger,
  { number, workspaceId }: MailingUnderWay,
  { work }: LetterSource,
  isLast: boolean,
): Promise<{ readonly content: MailingContent } | Letter> {
  const content = await ledger.content(number);
  if (content.options?.format !== "mjml") return { content };
  const made = await work.run(workspaceId, mjmlJob(content.options), content.html);
  const html = isLast ? made : lasting(made);
  if (!html.ok) return { envelopeSender: content.from.address, compose: () => html };
  const compiled = { ...content, html: html.value, options: { ...content.options, format: "html" as const } };
  await ledger.saveContent(number, compiled);
  return { content: compiled };
}

type Parts = LetterSource & { readonly ledger: Ledger; readonly shapes: ReturnType<typeof letterShapes> };

function personalCampaign(mailing: MailingUnderWay, content: MailingContent, parts: Parts): Letter {
  const { ledger, baseUrl } = parts;
  const authored = authoredOf(content);
  const names = keptNames(namesInLetter(authored));
  const hasReaderUrls = namesReaderUrls(authored);
  return personalLetter(mailing, content, {
    ...parts,
    inTurn: oneAfterAnother(),
    needsPeople: true,
    hasReaderUrls,
    valuesFor({ number, person }, token) {
      const known = person ?? ledger.people([number]).then((people) => people.get(number) ?? null);
      return thenSoon(known, (found) => {
        if (found === null) return null;
        const urls = hasReaderUrls ? readerUrls(baseUrl, token) : null;
        const scope = campaignScope(found, content.campaign?.name ?? "", urls);
        return { scope, kept: names && JSON.stringify(keptValues(found, names)) };
      });
    },
    keep({ number }, { links, values, at }) {
      const saved = ledger.saveMessageLinks(mailing.number, number, links);
      return values === null ? saved : Promise.all([saved, ledger.saveValues(number, values, at)]);
    },
  });
}
