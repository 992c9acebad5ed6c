/** The pages for a mail's reader. All three belong to one mail, so they share one token. */

export const unsubscribeUrl = (baseUrl: string, unsubscribeToken: string): string =>
  `${baseUrl}/u/${unsubscribeToken}`;

export const preferencesUrl = (baseUrl: string, unsubscribeToken: string): string =>
  `${baseUrl}/p/${unsubscribeToken}`;

export const webVersionUrl = (baseUrl: string, unsubscribeToken: string): string =>
  `${baseUrl}/w/${unsubscribeToken}`;

/** Tokens have 22 characters; those of earlier versions had 32. */
const AFTER_BASE = /^\/[upw]\/(?:[A-Za-z0-9_-]{22}|[A-Za-z0-9_-]{32})(?:[/?#]|$)/;

/**
 * Whether an address leads to one of these pages. Such links are neither tracked nor changed: an opt-out must work
 * without a redirect.
 */
export const isReaderLink = (baseUrl: string, address: string): boolean =>
  address.startsWith(baseUrl) && AFTER_BASE.test(address.slice(baseUrl.length));
