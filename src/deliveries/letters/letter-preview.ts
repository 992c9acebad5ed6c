import type { Instant } from "#core/time/clock.ts";
import type { MailingContent } from "#deliveries/ledger.ts";
import type { LetterSource } from "#deliveries/letter.ts";
import type { MailingOrigin } from "#deliveries/store.ts";
import { TEST_MESSAGE } from "#deliveries/token.ts";
import type { WrittenLetter } from "#mail/problems/letter-warnings.ts";
import type { Problem } from "#mail/problems/problem.ts";
import { countedBytes } from "#mail/letter/letter-size.ts";
import { sizeProblems } from "#mail/problems/size-problems.ts";
import { errorProblem, letterProblems } from "#work/letter-problems.ts";
import { shownLetter, type Addressee, type ShownLetter } from "./shown-letter.ts";

/** HTML and text are empty, and the size is 0, if the letter cannot be made; subject and preheader are then as written. */
export type LetterPreview = Omit<ShownLetter, "message"> & { readonly problems: readonly Problem[] };

/** The letter to show: as its author wrote it, and as a send would freeze it. */
type Shown = {
  readonly mailing: MailingOrigin;
  readonly written: WrittenLetter;
  readonly content: MailingContent;
};

/**
 * A letter as one person would get it, without tracking: its links are as their author wrote them. Its size is
 * judged with the tracking that the content asks for, because Gmail cuts off what is delivered. Nothing is sent or
 * counted. @throws WorkLate
 */
export async function previewLetter(
  source: LetterSource,
  { mailing, written, content }: Shown,
  reader: Omit<Addressee, "number" | "address">,
  now: Instant,
): Promise<LetterPreview> {
  const problems = await letterProblems(source.work, mailing.workspaceId, written);
  const { subject, preheader } = written;
  const nothing = { subject, preheader, html: "", text: "", sizeBytes: 0 };
  if (problems.some(({ severity }) => severity === "error")) return { ...nothing, problems };
  const untracked = { ...withSender(content), trackOpens: false, trackClicks: false };
  const addressee = { ...reader, number: TEST_MESSAGE, address: reader.person.email };
  const made = await shownLetter(source, mailing, untracked, addressee, now);
  if (!made.ok) return { ...nothing, problems: [errorProblem(made.refusal.message), ...problems] };
  const { message: _, ...single } = made.value;
  const { trackOpens, trackClicks } = content;
  const bytes = countedBytes({ html: single.html, baseUrl: source.baseUrl, trackOpens, trackClicks });
  return { ...single, problems: [...problems, ...sizeProblems(bytes)] };
}

/** Guardrails are not checked: a workspace without a sender has previews too. */
const withSender = (content: MailingContent): MailingContent => ({
  ...content,
  from: { ...content.from, address: content.from.address || "sender@example.com" },
});
