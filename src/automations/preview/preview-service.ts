/** The mail of a step as one person would get it. Nothing is sent or counted. */
import type { Contact } from "#contacts/contact.ts";
import type { Clock } from "#core/time/clock.ts";
import { AppError, notFound } from "#core/errors/errors.ts";
import type { JsonObject } from "#core/request/json-value.ts";
import type { LetterSource } from "#deliveries/letter.ts";
import { EXAMPLE_PERSON } from "#deliveries/letters/letter-values.ts";
import { previewLetter, type LetterPreview } from "#deliveries/letters/letter-preview.ts";
import { contentUnder } from "#deliveries/mailing-content.ts";
import { PLAIN_LETTER } from "#mail/letter/letter-options.ts";
import { mailBodyOf } from "#automations/flow/action.ts";
import type { Flow } from "#automations/flow/flow.ts";
import { liquidScope } from "#automations/mail/mail-content.ts";
import type { AutomationStore } from "#automations/store.ts";
import { errorProblem } from "#work/letter-problems.ts";
import type { WorkspaceStore } from "#workspaces/store.ts";
import type { MailPreviewRequest } from "./preview-input.ts";

/** A step has no preheader. */
export type MailPreview = Omit<LetterPreview, "preheader">;

/** An automation whose mails are previewed. */
type Previewed = { readonly workspaceId: string; readonly id: string; readonly flow: Flow };

export type MailPreviewService = ReturnType<typeof mailPreviewService>;

type Parts = LetterSource & {
  readonly automations: Pick<AutomationStore, "flow">;
  readonly contacts: { find(workspaceId: string, id: string): Promise<Contact> };
  readonly workspaces: Pick<WorkspaceStore, "settings">;
  readonly clock: Clock;
};

/**
 * The step as it is being edited, or as it was saved.
 * @throws AppError VALIDATION_ERROR
 */
function mailStepOf({ nodes }: Flow, { nodeId, data }: MailPreviewRequest): JsonObject {
  const written = data ?? nodes.find(({ id }) => id === nodeId)?.data;
  if (written === undefined)
    throw new AppError(
      "VALIDATION_ERROR",
      `The flow has no node ${nodeId}: save it first, or send \`data\`.`,
    );
  if (written["action"] !== "send_email")
    throw new AppError("VALIDATION_ERROR", `The node ${nodeId} sends no mail.`);
  return written;
}

export function mailPreviewService(parts: Parts) {
  const { automations, contacts, workspaces, clock } = parts;

  return {
    /** The automation to preview. @throws AppError NOT_FOUND */
    async automation(workspaceId: string, id: string): Promise<Previewed> {
      const flow = await automations.flow(workspaceId, id);
      if (flow === null) throw notFound(`The automation ${id}`);
      return { workspaceId, id, flow };
    },

    /** @throws AppError NOT_FOUND; VALIDATION_ERROR if there is no such node or it sends no mail */
    async preview({ workspaceId, id, flow }: Previewed, request: MailPreviewRequest): Promise<MailPreview> {
      const data = mailStepOf(flow, request);
      const contact =
        request.contactId === null ? EXAMPLE : await contacts.find(workspaceId, request.contactId);
      const subject = typeof data["subject"] === "string" ? data["subject"] : "";
      const mail = mailBodyOf(data);
      if (mail === null)
        return {
          subject,
          html: "",
          text: "",
          sizeBytes: 0,
          problems: [errorProblem("The mail has no text yet.")],
        };
      const { kind: format, source: html } = mail;
      const written = { subject, preheader: "", body: html, text: null, format, isLiquid: true };
      const authored = contentUnder(await workspaces.settings(workspaceId), { subject, html, list: null });
      const content = { ...authored, options: { ...PLAIN_LETTER, format, personalize: true } };
      const mailing = { workspaceId, sourceId: id, kind: "automation" } as const;
      const person = { person: contact, scope: liquidScope({ contact, event: null }) };
      const made = await previewLetter(parts, { mailing, written, content }, person, clock.now());
      const { preheader: _, ...preview } = made;
      return preview;
    },
  };
}

const EXAMPLE: Contact = { ...EXAMPLE_PERSON, id: "example", status: "SUBSCRIBED", createdAt: 0 };
