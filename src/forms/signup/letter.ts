import { domainOf } from "#core/addresses/email-address.ts";
import { unwrap } from "#core/errors/errors.ts";
import type { Letter, LetterOf } from "#deliveries/letter.ts";
import type { MailingUnderWay } from "#deliveries/store.ts";
import { confirmTokenOf, messageIdOf } from "#deliveries/token.ts";
import { compileConfirmation } from "#mail/letter/single/confirmation-mail.ts";
import { CONFIRMATION_MJML } from "#mail/letter/single/confirmation-template.ts";
import { feedbackId } from "#mail/letter/marketing/feedback-id.ts";
import type { Work } from "#work/pool.ts";
import { LINK_VALID_DAYS, type ConfirmationContent } from "./confirmation.ts";
import type { SignupStore } from "#forms/store.ts";
import { senderOfToday } from "#workspaces/signing.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";

type ConfirmationParts = {
  readonly secret: Uint8Array;
  readonly baseUrl: string;
  /** The HTML compiled from CONFIRMATION_MJML. */
  readonly layout: string;
};

/** The letters of confirmations. Their layout is compiled once, when the first of them is made. */
export function confirmationLetters(parts: {
  readonly signups: Pick<SignupStore, "letterContent">;
  readonly workspaces: Pick<WorkspaceStore, "settings">;
  readonly secret: Uint8Array;
  readonly baseUrl: string;
  readonly work: Pick<Work, "run">;
}): LetterOf {
  const { signups, workspaces, work } = parts;
  let layout: Promise<string> | null = null;
  const layoutOnce = (): Promise<string> =>
    (layout ??= work.run("", "mjml", CONFIRMATION_MJML).then(unwrap)).catch((error: unknown) => {
      layout = null;
      throw error;
    });
  return async (mailing) => {
    const content = await signups.letterContent(mailing.number);
    const from = senderOfToday(await workspaces.settings(mailing.workspaceId), content.from);
    return confirmationLetter(mailing, { ...content, from }, { ...parts, layout: await layoutOnce() });
  };
}

/** The letter of a mailing of kind `confirmation`. Each message has its own link. */
function confirmationLetter(
  mailing: MailingUnderWay,
  content: ConfirmationContent,
  { secret, baseUrl, layout }: ConfirmationParts,
): Letter {
  const source = {
    ...content,
    feedbackId: feedbackId(mailing.sourceId, mailing.workspaceId, mailing.kind),
    linkValidDays: LINK_VALID_DAYS,
  };
  const compose = compileConfirmation(source, layout);
  const domain = domainOf(content.from.address);
  return {
    envelopeSender: content.from.address,
    compose({ number, address }, date) {
      const messageId = `${messageIdOf(secret, number)}@${domain}`;
      const confirmUrl = `${baseUrl}/confirm/${confirmTokenOf(secret, number)}`;
      return compose({ address, messageId, date, confirmUrl });
    },
  };
}
