/** What stands alone between marks that people use for other things too: somebody's name or address, and links of a letter. */
const PERSON = String.raw`(?:first|last|full|vor|nach)?[ _-]?name|fname|lname|anrede|salutation|pr[ée]nom|nom|nombre|apellidos?|nome|cognome|voornaam|achternaam|imi[ęe]|nazwisko|e-?mail(?:[ _-]?address)?`;
const LETTERS_LINK = String.raw`unsub(?:scri(?:be|ption))?[\w-]{0,40}|abmelde[\w-]{1,40}|web[ _-]?(?:version|view|copy|link)[\w-]{0,40}|online[ _-]?version|read[ _-]?online|preferences[\w-]{0,40}|(?:profile|email)_url`;
const WORD = `(?:${PERSON}|${LETTERS_LINK})`;

/**
 * Placeholders of other mail services, which people bring with them. Each pattern consists of literal marks around
 * text of limited length that cannot contain the opening mark. So no text makes the search slow.
 */
const KINDS: readonly RegExp[] = [
  // Liquid, Handlebars, Mustache: HubSpot, Brevo, Klaviyo, Customer.io, listmonk and many more.
  /\{\{[^{}\n]{1,120}\}\}/,
  /\{%[^{}%\n]{1,120}%\}/,
  // Mailchimp.
  /\*\|[a-z][^*|\n]{0,60}\|\*/,
  // Mailgun; Salesforce and others; ActiveCampaign. Not the percent-encoding of a web address, which is two
  // hex digits.
  /%(?:recipient[._]|(?:subscriber|contact|user)\.)[\w.-]{1,60}%/,
  /%%[a-z_][\w .-]{0,60}%%/,
  /(?<![\w%])%(?![0-9a-f]{2})[a-z][a-z_-]{2,60}%(?!\w)/,
  // MailerLite, JavaScript's and AWeber's braces; Mautic.
  /\{\$[a-z_][^{}\n]{0,60}\}/,
  /\$\{[a-z_][^{}\n]{0,60}\}/,
  /\{![a-z_][^{}\n]{0,60}\}/,
  /\{(?:contactfield|leadfield|ownerfield)=[^{}\n]{1,60}\}/,
  // CleverReach, rapidmail, Mailster; Ghost; AcyMailing.
  new RegExp(String.raw`\{(?:(?:subscriber|contact|user)[._])?${WORD}(?:, ?"[^"{}\n]{0,60}")?\}`),
  /\{(?:subtag|subscriber|user|contact):[^{}\n]{1,60}\}/,
  // GetResponse, Constant Contact; Sendy and Campaign Monitor.
  /\[\[[a-z_][^[\]\n]{0,60}\]\]/,
  /\[[a-z][\w ]{0,40}, ?fallback=[^[\]\n]{0,60}\]/,
  // phpList, Inxmail, iContact; MailPoet, Benchmark; SendGrid, Emma.
  new RegExp(String.raw`\[${WORD}\]`),
  /\[(?:subscriber|link|newsletter|contact_attribute):[^[\]\n]{1,60}\]/,
  /\[% ?[a-z_][^[\]\n]{0,60}\]/,
  // Campaign Monitor and Sendy have elements.
  /<(?:unsubscribe|webversion|preferences|forwardtoafriend)>/,
  // Zoho, Moosend, and templates like those of EJS.
  /\$\[[a-z][^[\]\n]{0,60}\]\$/,
  /#recipient:[^#\n]{1,60}#/,
  /##[a-z_][\w ]{0,40}##/,
  /<%[=-]?[^<>%\n]{1,80}%>/,
];
const ANY_KIND = KINDS.map(({ source }) => source).join("|");
/** At nearly every place no tag begins, and the first character is enough to see that. */
const MERGE_TAG = new RegExp(`(?=[*%$[#<{](?!\\{\\{\\{))(?:${ANY_KIND})`, "gi");
const LIQUID = /^\{[{%]/;

/** The most tags that are read in one text: an author who repeats a tag a thousand times has been warned. */
const HITS_MAX = 1_000;

/** The texts that look like merge tags, each once, in order. */
export function mergeTagsIn(text: string): string[] {
  const found = new Set<string>();
  for (const [tag] of text.matchAll(MERGE_TAG).take(HITS_MAX)) found.add(tag);
  return [...found];
}

/** The same for texts in which Liquid is filled in. */
export const foreignMergeTagsIn = (text: string): string[] =>
  mergeTagsIn(text).filter((tag) => !LIQUID.test(tag));

/** Those that nothing fills in, so that everybody reads them as they stand. */
export const unfilledTagsIn = (text: string, isLiquid: boolean): string[] =>
  isLiquid ? foreignMergeTagsIn(text) : mergeTagsIn(text);

const SHOWN_MAX = 5;

/** Lists the tags for a sentence: the first few, then how many more. */
export function namedTags(tags: readonly string[]): string {
  const more = tags.length - SHOWN_MAX;
  return tags.slice(0, SHOWN_MAX).join(", ") + (more > 0 ? ` and ${more} more` : "");
}
