import { inkOn, readable, TEXT_CONTRAST } from "#core/colour.ts";
import { escapeHtml } from "#core/text/html-escape.ts";
import { plainLines } from "#mail/html/plain-lines.ts";
import { wrapLine } from "#mail/html/text-lines.ts";
import type { Language } from "#texts/language.ts";
import { filledIn, textsIn, type Texts } from "#texts/texts.ts";

/** The sender's language, colour (`#rrggbb`) and logo; empty if there is none. */
export type ConfirmationLook = {
  readonly language: Language;
  readonly brandColor: string;
  readonly logoUrl: string;
};

type Words = {
  readonly workspaceName: string;
  readonly linkValidDays: number;
  readonly look?: ConfirmationLook;
};

const PLAIN: ConfirmationLook = { language: "en", brandColor: "", logoUrl: "" };

/** Our own colours, in place of the sender's in the compiled layout. Nothing else in it has these colours. */
const BUTTON = "#1f56c3";
const ON_BUTTON = "#fffffe";
const LINK = "#1f56c2";

/**
 * The layout, in MJML; `confirmationHtml` takes the HTML compiled from it. `%NAME%` is replaced by a value. It is
 * compiled once: words and colours differ between workspaces, the layout does not. It names no font that MJML would
 * load from the web (Roboto, for example).
 */
export const CONFIRMATION_MJML = `
<mjml lang="%LANGUAGE%">
  <mj-head>
    <mj-title>%HEADING%</mj-title>
    <mj-preview>%PREVIEW%</mj-preview>
    <mj-attributes>
      <mj-all font-family="system-ui, -apple-system, 'Segoe UI', Arial, sans-serif" />
      <mj-text font-size="16px" line-height="24px" color="#1b2430" />
    </mj-attributes>
  </mj-head>
  <mj-body background-color="#f3f4f7" width="520px">
    <mj-wrapper padding="24px 0">
    <mj-section background-color="#ffffff" border-radius="12px" padding="24px 8px">
      <mj-column>
        <mj-text color="#556070" font-weight="600">%LOGO%%SENDER%</mj-text>
        <mj-text font-size="24px" line-height="30px" font-weight="700">%HEADING%</mj-text>
        <mj-text>%EXPLAIN% %PRESS%</mj-text>
        <mj-button href="%URL%" background-color="${BUTTON}" color="${ON_BUTTON}" font-size="16px" font-weight="600" border-radius="8px" inner-padding="14px 28px" align="left">%BUTTON%</mj-button>
        <mj-text color="#556070" font-size="14px" line-height="21px">%VALID%</mj-text>
        <mj-text color="#556070" font-size="14px" line-height="21px">%NOBUTTON% <a href="%URL%" style="color:${LINK}; word-break:break-all">%URL%</a></mj-text>
      </mj-column>
    </mj-section>
    </mj-wrapper>
  </mj-body>
</mjml>`;

const PLACE =
  /%(LANGUAGE|HEADING|PREVIEW|LOGO|SENDER|EXPLAIN|PRESS|BUTTON|VALID|NOBUTTON|URL)%|#1f56c3|#fffffe|#1f56c2/g;

/**
 * The HTML part, without the link. Values are escaped. A value that looks like a placeholder of the template is not
 * replaced.
 */
export function confirmationHtml(words: Words, layout: string): (confirmUrl: string) => string {
  const { language, brandColor, logoUrl } = words.look ?? PLAIN;
  const texts = filledTexts(words);
  const values: Readonly<Record<string, string>> = {
    LANGUAGE: language,
    HEADING: escapeHtml(texts.heading),
    PREVIEW: escapeHtml(texts.preview),
    LOGO: logoUrl === "" ? "" : logo(logoUrl),
    SENDER: escapeHtml(nameOf(words)),
    EXPLAIN: escapeHtml(texts.explain),
    PRESS: escapeHtml(texts.pressButton),
    BUTTON: escapeHtml(textsIn(language).confirm.button),
    VALID: escapeHtml(texts.valid),
    NOBUTTON: escapeHtml(texts.noButton),
    ...coloursOf(brandColor),
  };
  return (confirmUrl) => {
    const url = escapeHtml(confirmUrl);
    return layout.replaceAll(PLACE, (place, name: string | undefined) =>
      name === "URL" ? url : (values[name ?? place] ?? ""),
    );
  };
}

/** The name is below the logo, so the logo needs no text of its own. */
const logo = (url: string): string =>
  `<img src="${escapeHtml(url)}" alt="" height="48" style="display:block;width:auto;max-width:100%;height:48px;border:0;margin:0 0 12px">`;

/** The button has exactly the sender's colour; the link is darkened as much as it must be to be readable on white. */
function coloursOf(brandColor: string): Record<string, string> {
  const button = brandColor || BUTTON;
  return {
    [BUTTON]: button,
    [ON_BUTTON]: inkOn(button),
    [LINK]: readable(brandColor || LINK, ["#ffffff"], TEXT_CONTRAST),
  };
}

export function confirmationText(words: Words): (confirmUrl: string) => string {
  const { heading, explain, openLink, valid } = filledTexts(words);
  const [first, second, third] = [explain, openLink, valid].map((text) => wrapLine(text));
  return (confirmUrl) => `${heading}\n\n${first}\n\n${second}\n\n${confirmUrl}\n\n${third}\n`;
}

export const confirmationSubject = (words: Words): string => filledTexts(words).subject;

function filledTexts(words: Words): Texts["confirmationMail"] {
  const { confirmationMail } = textsIn((words.look ?? PLAIN).language);
  const values = { sender: nameOf(words), days: String(words.linkValidDays) };
  const filled = Object.entries(confirmationMail).map(([name, text]) => [name, filledIn(text, values)]);
  return Object.fromEntries(filled) as Texts["confirmationMail"];
}

const nameOf = ({ workspaceName }: Words): string => plainLines(workspaceName.toWellFormed()).join(" ");
