import type { Contact } from "#contacts/contact.ts";
import type { LiquidName } from "#mail/liquid/liquid-names.ts";
import type { KnownNames } from "#mail/liquid/unknown-names.ts";
import type { LiquidScope } from "#mail/liquid/liquid.ts";
import type { AuthoredLetter } from "#mail/letter/slots/liquid-letter.ts";
import { preferencesUrl, unsubscribeUrl, webVersionUrl } from "#mail/letter/marketing/reader-links.ts";

/** What a campaign's templates may use of the recipient. */
export type LetterValues = Pick<Contact, "email" | "firstName" | "lastName" | "tags" | "attributes">;

/** For a preview that names nobody. */
export const EXAMPLE_PERSON: LetterValues = {
  email: "alex@example.com",
  firstName: "Alex",
  lastName: "Example",
  tags: [],
  attributes: {},
};

const MEMBERS = ["email", "firstName", "lastName", "tags", "attributes"];

/** The names that a campaign's templates may use: those that `campaignScope` provides. */
export const CAMPAIGN_NAMES: KnownNames = {
  contact: MEMBERS,
  campaign: ["name"],
  unsubscribeUrl: [],
  preferencesUrl: [],
  webVersionUrl: [],
};

/** The addresses of a reader's own pages, by their names in Liquid. */
export const readerUrls = (baseUrl: string, unsubscribeToken: string) => ({
  unsubscribeUrl: unsubscribeUrl(baseUrl, unsubscribeToken),
  preferencesUrl: preferencesUrl(baseUrl, unsubscribeToken),
  webVersionUrl: webVersionUrl(baseUrl, unsubscribeToken),
});

/** Whether a letter's templates may name one of these addresses; in doubt, true. */
export const namesReaderUrls = ({ subject, html, preheader, text }: AuthoredLetter): boolean =>
  [subject, html, preheader, text ?? ""].some((source) => source.includes("Url"));

/** The values for a campaign's templates (docs/decisions.md "Personalized campaigns"). */
export function campaignScope(
  { email, firstName, lastName, tags, attributes }: LetterValues,
  campaignName: string,
  urls: ReturnType<typeof readerUrls> | null,
): LiquidScope {
  const contact = { email, firstName, lastName, tags, attributes };
  const campaign = { name: campaignName };
  if (urls === null) return { contact, campaign };
  // Written out, because spreading the object costs as much as all the rest of the scope.
  const { unsubscribeUrl: leave, preferencesUrl: choose, webVersionUrl: view } = urls;
  return { contact, campaign, unsubscribeUrl: leave, preferencesUrl: choose, webVersionUrl: view };
}

/**
 * Which values of a person are kept for the web version: those that the letter names. Null: nothing is kept,
 * because the letter has no link to its web version or names no values.
 */
export type KeptNames = {
  readonly members: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string> | "all";
};

export function keptNames(names: readonly LiquidName[]): KeptNames | null {
  if (!names.some(({ path }) => path[0] === "webVersionUrl")) return null;
  const paths = names.map(({ path }) => path).filter(([root]) => root === "contact");
  if (paths.length === 0) return null;
  const takesAll = paths.some(({ length }) => length < 2);
  const members = takesAll ? MEMBERS : paths.flatMap(([, member = ""]) => member);
  const ofAttributes = paths.filter(([, member]) => member === "attributes");
  const isWhole = takesAll || ofAttributes.some(({ length }) => length < 3);
  return {
    members: new Set<string>(members),
    attributes: isWhole ? "all" : new Set(ofAttributes.map(([, , name = ""]) => name)),
  };
}

/** The values of a person that are kept with the message. */
export function keptValues(person: LetterValues, { members, attributes }: KeptNames): Partial<LetterValues> {
  const kept = Object.entries(person).filter(([name]) => members.has(name) && name !== "attributes");
  if (!members.has("attributes")) return Object.fromEntries(kept);
  const named = Object.entries(person.attributes).filter(
    ([name]) => attributes === "all" || attributes.has(name) || name === "size",
  );
  return { ...Object.fromEntries(kept), attributes: Object.fromEntries(named) };
}
