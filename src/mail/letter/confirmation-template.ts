import { escapeHtml } from "#core/html-escape.ts";
import { plainLines } from "#mail/html/plain-lines.ts";

type Words = { readonly workspaceName: string; readonly linkValidDays: number };

/**
 * The layout, in MJML; `confirmationHtml` takes the HTML compiled from it. `%NAME%` stands for a value. It is
 * compiled once: the words differ between workspaces, the layout does not. It names no font that MJML would
 * load from the web (Roboto, for example).
 */
export const CONFIRMATION_MJML = `
<mjml lang="en">
  <mj-head>
    <mj-title>Please confirm your subscription</mj-title>
    <mj-preview>One click, and you are subscribed to %WORKSPACE%.</mj-preview>
    <mj-attributes>
      <mj-all font-family="system-ui, -apple-system, 'Segoe UI', Arial, sans-serif" />
      <mj-text font-size="16px" line-height="24px" color="#1b2430" />
    </mj-attributes>
  </mj-head>
  <mj-body background-color="#f3f4f7" width="520px">
    <mj-wrapper padding="24px 0">
    <mj-section background-color="#ffffff" border-radius="12px" padding="24px 8px">
      <mj-column>
        <mj-text color="#556070" font-weight="600">%WORKSPACE%</mj-text>
        <mj-text font-size="24px" line-height="30px" font-weight="700">Please confirm your subscription</mj-text>
        <mj-text>Somebody, hopefully you, signed this address up for emails from %WORKSPACE%. Press the button to confirm that this is what you want.</mj-text>
        <mj-button href="%URL%" background-color="#1f56c3" color="#ffffff" font-size="16px" font-weight="600" border-radius="8px" inner-padding="14px 28px" align="left">Confirm subscription</mj-button>
        <mj-text color="#556070" font-size="14px" line-height="21px">The link works for %DAYS% days. If you did not sign up, do nothing: without your confirmation nothing more will come.</mj-text>
        <mj-text color="#556070" font-size="14px" line-height="21px">If the button does not work, open this address: <a href="%URL%" style="color:#1f56c3; word-break:break-all">%URL%</a></mj-text>
      </mj-column>
    </mj-section>
    </mj-wrapper>
  </mj-body>
</mjml>`;

/**
 * The HTML part, without the link. Values are escaped. A value that looks like a place of the template is not
 * replaced.
 */
export function confirmationHtml(words: Words, layout: string): (confirmUrl: string) => string {
  const values = { WORKSPACE: escapeHtml(nameOf(words)), DAYS: String(words.linkValidDays) };
  return (confirmUrl) => {
    const all = { ...values, URL: escapeHtml(confirmUrl) };
    return layout.replaceAll(/%(WORKSPACE|DAYS|URL)%/g, (_, name: keyof typeof all) => all[name]);
  };
}

export function confirmationText(words: Words): (confirmUrl: string) => string {
  const name = nameOf(words);
  return (confirmUrl) => `Please confirm your subscription

Somebody, hopefully you, signed this address up for emails from
${name}. To confirm that this is what you want, open

${confirmUrl}

and press the button there. The link works for ${words.linkValidDays} days.

If you did not sign up, do nothing: without your confirmation
nothing more will come.
`;
}

export const confirmationSubject = (words: Words): string =>
  `Please confirm your subscription to ${nameOf(words)}`;

const nameOf = ({ workspaceName }: Words): string => plainLines(workspaceName.toWellFormed()).join(" ");
