/** A campaign's letter for one person: as a preview, and as a test to somebody's own address. */
import type { Clock } from "#core/time/clock.ts";
import { domainOf } from "#core/addresses/email-address.ts";
import { AppError, errorOf, unwrap } from "#core/errors/errors.ts";
import type { LetterSource } from "#deliveries/letter.ts";
import type { LetterCheck } from "#deliveries/letters/letter-check.ts";
import { CAMPAIGN_NAMES, EXAMPLE_PERSON, type LetterValues } from "#deliveries/letters/letter-values.ts";
import { previewLetter, type LetterPreview } from "#deliveries/letters/letter-preview.ts";
import { testLetter } from "#deliveries/letters/shown-letter.ts";
import { messageIdOf, TEST_MESSAGE } from "#deliveries/token.ts";
import type { SendAnswer } from "#transactional/answer.ts";
import type { TransactionalService } from "#transactional/service.ts";
import { marketingMissing } from "#workspaces/sender-missing.ts";
import { checkMaySend } from "#workspaces/sending-switch.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { frozenLetter } from "#campaigns/send/frozen-letter.ts";
import type { CampaignLetter } from "#campaigns/options/options.ts";
import { TEST_MARK } from "#mail/letter/subject.ts";

/** To whom a test goes, and as whose letter (null: an example person's). */
type TestRequest = { readonly addresses: readonly string[]; readonly contactId: string | null };

type Parts = LetterSource & {
  readonly campaigns: {
    find(workspaceId: string, id: string): Promise<{ readonly listId: string | null }>;
    letter(workspaceId: string, id: string): Promise<CampaignLetter>;
  };
  readonly contacts: { find(workspaceId: string, id: string): Promise<LetterValues> };
  readonly lists: {
    find(workspaceId: string, id: string): Promise<{ name: string } | null>;
    hasPublic(workspaceId: string): Promise<boolean>;
  };
  readonly workspaces: { settings(workspaceId: string): Promise<Settings> };
  readonly transactional: Pick<TransactionalService, "sendTest">;
  readonly checkLetter: LetterCheck;
  /** Why the workspace's mail from an address cannot be sent, or null. */
  blockedBy(workspaceId: string, from: string): Promise<string | null>;
  readonly clock: Clock;
};

export type PreviewService = ReturnType<typeof previewService>;

/**
 * Every method throws AppError NOT_FOUND if the workspace has no such campaign or contact. The body of a request is
 * read by a function, because a campaign that is not there comes before what is wrong with the body.
 */
export function previewService(parts: Parts) {
  const { contacts, clock } = parts;
  const personOf = async (workspaceId: string, contactId: string | null): Promise<LetterValues> =>
    contactId === null ? EXAMPLE_PERSON : await contacts.find(workspaceId, contactId);

  return {
    /** The letter as a send would make it for a person (null: an example person). Nothing is counted. */
    async preview(workspaceId: string, id: string, readContact: () => string | null): Promise<LetterPreview> {
      const { letter, content } = await contentOf(parts, workspaceId, id);
      const person = await personOf(workspaceId, readContact());
      const { subject, html: body, options } = letter;
      const { preheader, text, format, personalize: isLiquid } = options;
      const written = { subject, preheader, body, text, format, isLiquid, names: CAMPAIGN_NAMES };
      const mailing = { workspaceId, sourceId: id, kind: "campaign" } as const;
      return await previewLetter(parts, { mailing, written, content }, { person }, clock.now());
    },

    /** Sends it to addresses. No open or click counts. @throws AppError FORBIDDEN, VALIDATION_ERROR, RATE_LIMITED: nothing was sent */
    async test(workspaceId: string, id: string, readTest: () => TestRequest): Promise<SendAnswer> {
      const { letter, content, settings } = await contentOf(parts, workspaceId, id);
      const { addresses, contactId } = readTest();
      const person = await personOf(workspaceId, contactId);
      const refusal =
        checkMaySend(settings) ?? marketingMissing(content.mailingAddress, content.from.address);
      if (refusal) throw errorOf(refusal);
      const fault = await parts.checkLetter(workspaceId, letter);
      if (fault) throw errorOf(fault);
      const blocked = await parts.blockedBy(workspaceId, content.from.address);
      if (blocked !== null) throw new AppError("VALIDATION_ERROR", blocked);
      const subject = TEST_MARK + content.subject;
      const test = { ...content, subject, trackOpens: false, trackClicks: false };
      const mailing = { workspaceId, sourceId: "test", kind: "transactional" } as const;
      const made = unwrap(
        await testLetter(parts, mailing, test, { number: TEST_MESSAGE, person }, clock.now()),
      );
      const domain = domainOf(content.from.address);
      return await parts.transactional.sendTest(workspaceId, addresses, {
        envelopeSender: content.from.address,
        messageIdOf: (number) => `${messageIdOf(parts.secret, number)}@${domain}`,
        compose: made.compose,
      });
    },
  };
}

/** The content that a send would freeze now. */
async function contentOf({ campaigns, lists, workspaces }: Parts, workspaceId: string, id: string) {
  const letter = await campaigns.letter(workspaceId, id);
  const { listId } = await campaigns.find(workspaceId, id);
  const list = listId === null ? null : await lists.find(workspaceId, listId);
  const named = listId === null || list === null ? null : { id: listId, name: list.name };
  const settings = await workspaces.settings(workspaceId);
  const frozen = frozenLetter(settings, { ...letter, list: named });
  const offersPreferences = await lists.hasPublic(workspaceId);
  return { letter, settings, content: { ...frozen, offersPreferences } };
}
