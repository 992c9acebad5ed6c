/** Events of every provider, as their documentation has them. */
import { SES } from "./providers/ses.ts";
import { POSTMARK } from "./providers/postmark.ts";
import { MAILGUN } from "./providers/mailgun.ts";
import { SENDGRID } from "./providers/sendgrid.ts";
import { BREVO } from "./providers/brevo.ts";
import { MAILJET } from "./providers/mailjet.ts";
import { SPARKPOST } from "./providers/sparkpost.ts";
import { RESEND } from "./providers/resend.ts";
import type { Example } from "./providers/example.ts";

export const EXAMPLES: readonly Example[] = [
  ...SES,
  ...POSTMARK,
  ...MAILGUN,
  ...SENDGRID,
  ...BREVO,
  ...MAILJET,
  ...SPARKPOST,
  ...RESEND,
];
