/**
 * Names that other services use for settings, and what to do instead (see `http/foreign-names.ts`). Any other
 * name that is no setting is refused as well (`settings-json.ts`).
 */
const ADDRESS = "it is called `mailingAddress`";
const SENDER = "it is called `fromEmail`";
const RELAY = "a relay is one URL: it is called `smtpUrl`";

export const FOREIGN_SETTINGS = {
  address: ADDRESS,
  physicalAddress: ADDRESS,
  postalAddress: ADDRESS,
  companyAddress: ADDRESS,
  orgName: "it is called `name`",
  companyName: "it is called `name`",
  siteName: "it is called `name`",
  from: SENDER,
  fromAddress: SENDER,
  senderEmail: SENDER,
  defaultFromEmail: SENDER,
  senderName: "it is called `fromName`",
  tz: "it is called `timezone`",
  smtpHost: RELAY,
  smtpPassword: RELAY,
  smtp: RELAY,
  optin: "it is called `doubleOptIn`",
  doubleOptin: "it is called `doubleOptIn`",
  dailyLimit: "it is called `dailyCap`",
  trackingEnabled: "there are `trackOpens` and `trackClicks`",
} as const;
