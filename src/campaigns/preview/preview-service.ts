/** A campaign's letter for one person: as a preview, and as a test to somebody's own address. */
import type { Clock } from "#core/time/clock.ts";
import { domainOf } from "#core/addresses/email-address.ts";
import { AppError, errorOf, invalid, unwrap } from "#core/errors/errors.ts";
import type { MailingContent } from "#deliveries/ledger.ts";
import type { LetterSource } from "#deliveries/letter.ts";
import type { LetterCheck } from "#deliveries/letters/letter-check.ts";
import { EXAMPLE_PERSON, type LetterPerson } from "#deliveries/letters/letter-person.ts";
import { personLetter, singleLetter } from "#deliveries/letters/single-letter.ts";
import { messageIdOf, TEST_MESSAGE } from "#deliveries/token.ts";
import { sizeProblems } from "#mail/problems/size-problems.ts";
import type { Problem } from "#mail/problems/problem.ts";
import type { SendAnswer } from "#transactional/answer.ts";
import type { TransactionalService } from "#transactional/service.ts";
import { errorOf as problemOf, letterProblems } from "#work/letter-problems.ts";
import { checkMaySend } from "#workspaces/sending-switch.ts";
import type { Settings } from "#workspaces/settings/settings.ts";
import { frozenLetter } from "#campaigns/send/frozen-letter.ts";
import type { CampaignLetter } from "#campaigns/options/options.ts";

/** HTML and text are empty if the letter cannot be made; subject and preheader are then as written. */
export type Preview = {
  readonly subject: string;
  readonly preheader: string;
  readonly html: string;
  readonly text: string;
  /** The size of the whole message; 0 if it cannot be made. */
  readonly sizeBytes: number;
  readonly problems: readonly Problem[];
};

type Parts = LetterSource & {
  readonly campaigns: {
    find(workspaceId: string, id: string): Promise<{ readonly listId: string | null }>;
    letter(workspaceId: string, id: string): Promise<CampaignLetter>;
  };
  readonly contacts: { find(workspaceId: string, id: string): Promise<LetterPerson> };
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

/** Every method throws AppError NOT_FOUND if the workspace has no such campaign or contact. */
export function previewService(parts: Parts) {
  const { campaigns, contacts, clock } = parts;
  const personOf = async (workspaceId: string, contactId: string | null): Promise<LetterPerson> =>
    contactId === null ? EXAMPLE_PERSON : await contacts.find(workspaceId, contactId);

  return {
    letter: campaigns.letter,

    /** The letter as a send would make it for this person (null: an example person). Nothing is counted. */
    async preview(workspaceId: string, id: string, contactId: string | null): Promise<Preview> {
      const person = await personOf(workspaceId, contactId);
      const { letter, content } = await contentOf(parts, workspaceId, id);
      const { subject, options } = letter;
      const { preheader } = options;
      const written = { subject, preheader, body: letter.html, text: options.text, format: options.format };
      const isLiquid = options.personalize;
      const problems = await letterProblems(parts.work, workspaceId, { ...written, isLiquid });
      const nothing = { subject, preheader, html: "", text: "", sizeBytes: 0 };
      if (hasError(problems)) return { ...nothing, problems };
      const mailing = { workspaceId, sourceId: id, kind: "campaign" } as const;
      const addressee = { number: TEST_MESSAGE, address: person.email, person };
      const shown = content.from.address === "" ? withSender(content) : content;
      const made = await singleLetter(parts, mailing, shown, addressee, clock.now());
      if (!made.ok) return { ...nothing, problems: [problemOf(made.refusal.message), ...problems] };
      const { message: _, ...single } = made.value;
      return { ...single, problems: [...problems, ...sizeProblems(Buffer.byteLength(single.html))] };
    },

    /** Sends it to these addresses. @throws AppError FORBIDDEN, VALIDATION_ERROR, RATE_LIMITED: nothing was sent */
    async test(
      workspaceId: string,
      id: string,
      addresses: readonly string[],
      contactId: string | null,
    ): Promise<SendAnswer> {
      const person = await personOf(workspaceId, contactId);
      const { letter, content, settings } = await contentOf(parts, workspaceId, id);
      const refusal = checkMaySend(settings) ?? addressesMissing(content);
      if (refusal) throw errorOf(refusal);
      const fault = await parts.checkLetter(workspaceId, letter);
      if (fault) throw errorOf(fault);
      const blocked = await parts.blockedBy(workspaceId, content.from.address);
      if (blocked !== null) throw new AppError("VALIDATION_ERROR", blocked);
      const test = { ...content, subject: `[Test] ${content.subject}` };
      const mailing = { workspaceId, sourceId: "test", kind: "transactional" } as const;
      const made = unwrap(
        await personLetter(parts, mailing, test, { number: TEST_MESSAGE, person }, clock.now()),
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

const hasError = (problems: readonly Problem[]): boolean =>
  problems.some(({ severity }) => severity === "error");

/**
 * The content that a send would freeze now, but without tracking: no open or click counts, and the links are as
 * their author wrote them.
 */
async function contentOf({ campaigns, lists, workspaces }: Parts, workspaceId: string, id: string) {
  const letter = await campaigns.letter(workspaceId, id);
  const { listId } = await campaigns.find(workspaceId, id);
  const list = listId === null ? null : await lists.find(workspaceId, listId);
  const named = listId === null || list === null ? null : { id: listId, name: list.name };
  const settings = await workspaces.settings(workspaceId);
  const frozen = frozenLetter(settings, { ...letter, list: named });
  const offersPreferences = await lists.hasPublic(workspaceId);
  const content = { ...frozen, offersPreferences, trackOpens: false, trackClicks: false };
  return { letter, settings, content };
}

/** Guardrails are not checked: a workspace without a sender has previews too. */
const withSender = (content: MailingContent): MailingContent => ({
  ...content,
  from: { ...content.from, address: "sender@example.com" },
});

function addressesMissing({ mailingAddress, from }: MailingContent) {
  if (mailingAddress.trim() === "")
    return invalid("The workspace has no physical mailing address. Set `mailingAddress` in its settings.")
      .refusal;
  return from.address === ""
    ? invalid("The workspace has no sender address. Set `fromEmail` in its settings.").refusal
    : null;
}
