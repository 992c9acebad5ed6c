/** The networks for which MJML has icons: `name` of `mj-social-element`, by the name of the icon's file. */
const SIGNS = {
  dribbble: "dribbble",
  facebook: "facebook",
  github: "github",
  "google-plus": "google",
  instagram: "instagram",
  linkedin: "linkedin",
  medium: "medium",
  pinterest: "pinterest",
  snapchat: "snapchat",
  soundcloud: "soundcloud",
  tumblr: "tumblr",
  twitter: "twitter",
  "twitter-x": "x",
  vimeo: "vimeo",
  web: "web",
  xing: "xing",
  youtube: "youtube",
} as const;

/** A network that we have an icon for. */
export type SocialSign = (typeof SIGNS)[keyof typeof SIGNS];

/** The address of MJML's own icons: a server of its makers, who would see who opens the letter. */
const THEIRS = "https://www.mailjet.com/images/theme/v1/icons/ico-social/";

/**
 * The compiled HTML with our icons in place of those that MJML uses if a social element has no `src`. Addresses
 * that the author wrote stay.
 * @param baseUrl where readers reach this service, without a slash at its end
 */
export function withOwnSigns(html: string, source: string, baseUrl: string): string {
  if (!html.includes(THEIRS) || source.includes(THEIRS)) return html;
  return Object.entries(SIGNS).reduce(
    (page, [file, sign]) =>
      page.replaceAll(`src="${THEIRS}${file}.png"`, `src="${baseUrl}/media/social/${sign}.png"`),
    html,
  );
}
