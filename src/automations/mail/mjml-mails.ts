import { mailBodyOf } from "#automations/flow/action.ts";
import type { Flow } from "#automations/flow/flow.ts";

/** A mail written in MJML, and the place of its node in the flow. */
type MjmlMail = { readonly id: string; readonly index: number; readonly source: string };

/**
 * The mails of a flow that are written in MJML. Their Liquid is not read, because that takes milliseconds for each
 * mail.
 */
export const mjmlMails = ({ nodes }: Flow): MjmlMail[] =>
  nodes.flatMap(({ id, type, data }, index) => {
    const body = type === "action" && data.action === "send_email" ? mailBodyOf(data) : null;
    return body?.kind === "mjml" ? [{ id, index, source: body.source }] : [];
  });
