import type { Footer } from "./footer.ts";
import type { MarketingFrame } from "./marketing-mail.ts";
import { preferencesUrl, unsubscribeUrl } from "./reader-links.ts";
import type { Tokens } from "#mail/letter/slots/recipient-tokens.ts";

type FooterFrame = Pick<
  MarketingFrame,
  "workspaceName" | "mailingAddress" | "baseUrl" | "trackOpens" | "language" | "offersPreferences"
>;

/** The footer of a mailing, with these tokens in its links. */
export function footerOf(frame: FooterFrame, tokens: Pick<Tokens, "open" | "unsubscribe">): Footer {
  const { baseUrl, workspaceName, mailingAddress, language = "en", offersPreferences = false } = frame;
  return {
    workspaceName: workspaceName.toWellFormed(),
    mailingAddress: mailingAddress.toWellFormed(),
    language,
    unsubscribeUrl: unsubscribeUrl(baseUrl, tokens.unsubscribe),
    preferencesUrl: offersPreferences ? preferencesUrl(baseUrl, tokens.unsubscribe) : null,
    pixelUrl: frame.trackOpens ? `${baseUrl}/o/${tokens.open}` : null,
  };
}
