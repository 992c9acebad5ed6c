/** What names of columns and fields say of who left (src/contacts/who-left.ts). */
import { describe, expect, test } from "bun:test";
import { spelledName } from "#core/text/spelled-name.ts";
import { stateOf, WHO_LEFT_NAMES, whoLeftField } from "#contacts/who-left.ts";
import {
  STANDING_IN,
  STANDING_IN_ATTRIBUTE,
  STANDING_IN_STATE,
} from "#imports/rows/standing/standing-cells.ts";

describe("a name", () => {
  test.each([
    [
      "unsubscribed",
      "Unsubscribed|Email and fax opt-out|Opt out of new post alerts|Newsletter-Abmeldung per Post|unsubscribed_at|unsubscribe reason|Unsubscribed from all email|hasOptedOutOfEmail|Opt-Out|E-Mail Opt-out|emailBlacklisted|Blocked|do not mail|disabled|Abgemeldet am|Désinscrit|Fecha de baja|unsubscribed_url",
    ],
    [
      "unsubscribed",
      "DNC|dnc_email|DoNotDisturb|do_not_contact|doNotContact|Do not allow Emails|Do not allow Bulk Emails|donotbulkemail|doNotEmail|Abmeldedatum|Newsletterabmeldung|Newsletter abbestellt|Gesperrt|Werbesperre|Austragungsdatum|Einwilligung widerrufen am",
    ],
    [
      "unsubscribed",
      "Keine Werbung|Kein Newsletter|Nicht kontaktieren|nicht anschreiben|Widerspruch Werbung|Werbung widersprochen|Abbestelldatum|Blockiert|Ne pas contacter|Ne plus contacter|No contactar|Desuscrito|Fecha baja|Non contattare|Não contactar|Niet mailen|Uitschrijfdatum|Data wypisania|No email|email_disabled|isunsubscribed|unsubscribedat|hasoptedout|Sperre|Do not send Marketing Materials|Consent withdrawn|consent_revoked_at",
    ],
    // CleverReach, Klaviyo, Mailjet, phpList, and people.
    [
      "unsubscribed",
      "deactivated|Deaktiviert|Email Suppressions|suppression_reason|IsExcludedFromCampaigns|Is this account disabled?|Blacklist|Sperrliste|Sperrvermerk|Robinsonliste|Abmeldegrund|marked as spam|Spam reported|do_not_market|Removed|deleted_at|Liste noire|Baja",
    ],
    // Buttondown, HubSpot, SuiteCRM, CiviCRM.
    [
      "bounced",
      "E-Mail ungültig|Ungültige E-Mail|bad email|hs_email_bad_address|Cleaned|cleaned_at|Email cleaned|undeliverability_date|Invalid Email|Email address quarantined|Email invalid|On Hold|email1_is_bad",
    ],
    [
      "optedIn",
      "activated|Aktiviert am|Is this subscriber confirmed|Newsletter erwünscht|Werbung erlaubt|DSGVO-Einwilligung|Email Permission|marketing_allowed|Receives newsletter|Consentement|Consentimiento|Consenso|Consentimento|Toestemming|Zgoda",
    ],
    [
      "subscribed",
      "Abonné|Abonné à la newsletter|Inscrit à la newsletter|Suscrito|Iscritto|Inscrito|Ingeschreven|Zapisany",
    ],
    ["bounced", "bounced|email_bounced_at|Hard Bounce|Email hard bounce reason|hardBounced|bounce type"],
    ["subscribed", "subscribed|is_subscribed|subscribed_to_emails|Subscribed to newsletter|Abonniert"],
    [
      "optedIn",
      "opt-in|Point of sale opt-in|Opted In|double_opt_in|optin|confirmed|Newsletter|Accepts Email Marketing|Opt-in by email|consent|gdpr_consent|Newsletter-Einwilligung|Einwilligung|Zustimmung zum Newsletter",
    ],
  ])("%s: %s", (field, names) => {
    for (const name of names.split("|"))
      expect([name, whoLeftField(spelledName(name))]).toEqual([name, field as never]);
  });

  test.each([
    "unsubscribe_link|unsubscribeUrl|Unsubscribe-Token|unsub_hash|bounce_count|Soft bounces|bounce rate",
    "subscribed_at|Subscribed on|subscribedDate|opt-in time|OPTIN_IP|opt_in_source|subscribed lists|Subscribed to",
    "SMS opt-in|sms_unsubscribed|WhatsApp opted out|email|name|City|subscription|disabled since birth|confirmed orders",
    "Opt-In-Quelle|Opt-In-Zeitpunkt|Opt-in Formular|Opt-In Art|opt_in_channel|optin user agent|subscribed by|subscribed via",
    "Einwilligung Foto|Photo consent|Do not allow Mails|Widerruf|consent_text|consentAt|Do not call",
    "Inscrit le|Numéro d'abonné|Email permission status|activated_at|Aktiviert von|Consenso fotografico|deleted items|blacklist url|invalid VAT number",
    // Salesforce, HubSpot, and lists that somebody has cleaned.
    "Fax Opt Out|HasOptedOutOfFax|Opt-Out Telefon|Opt-in Post|Calls opt out|Opted out of texts|Opted out of sale|Opt out of cookies",
    "Marketing emails bounced|Cleaned Email|Cleaned Name|Data cleaned|cleaned_company",
    "No. emails|No. of mailings|Email no|Newsletter Nr|Widerruf am|Consent given by|Werbung|Kontakt|Email enabled at",
    "newsletter name|Abmeldelink|counsellor|insubscribed|",
  ])("that says nothing of it: %s", (names) => {
    for (const name of names.split("|"))
      expect([name, whoLeftField(spelledName(name))]).toEqual([name, null]);
  });

  test("of a state in words is one of people, of anything, or none", () => {
    for (const name of [
      "state|Subscription status|emailStatus|Newsletter-Status|Newsletterstatus|Abo-Status|Status",
      "global_status|List Status|Email deliverability status|Anmeldestatus",
      "Statut|Statut de l'abonnement|Estado|Estado de la suscripción|Stato|Stan|Status subskrypcji|Status e-mail|Zustand",
    ].flatMap((names) => names.split("|")))
      expect([name, stateOf(spelledName(name))]).toEqual([name, "people"]);
    for (const name of "Versandstatus|order status|Marital status|type|Mailchimp Status|Person - Marketing status|statut du compte".split(
      "|",
    ))
      expect([name, stateOf(spelledName(name))]).toEqual([name, "anything"]);
    for (const name of [
      "Would you like to receive our newsletter?|Subscribe|Subscription|News|Updates|Sign up for news",
      "Can we email you?|May we contact you?|Email me|Stay in touch|Send emails|allow_email|Contactable|Infos per Mail|Kundenmailing",
      "Keep me informed|Happy to be contacted|OK to email|Contact by email|Email updates|Mailing address|Marketing source",
      "Newsletter-Abo|Newsletter abonnieren|Newsletterversand|Ich möchte den Newsletter erhalten|E-Mail-Werbung|Verteiler",
      "Recevoir la newsletter|Accepte les emails|Boletín|Publicidad|Consenso marketing|Nieuwsbrief|Zgoda marketingowa",
    ].flatMap((names) => names.split("|")))
      expect([name, stateOf(spelledName(name))]).toEqual([name, "wish"]);
    for (const name of [
      "Marketing preferences|Email preferences|Communication preferences|Contact preference|Newsletters|Marketing|Marketing emails",
      "Permission|Permissions|Contact permission|Permission to contact|email_permission_status|Consent status|I agree|Mailing list",
      "Newsletter subscription|Email subscriptions|Newsletter frequency|GDPR|Erlaubnis|Werbeerlaubnis|Einverständnis|Einverstanden",
      "Kommunikationspräferenzen|Newsletter-Einstellungen|Préférences newsletter|Preferencias de correo|Autorisation|Permiso",
    ].flatMap((names) => names.split("|")))
      expect([name, stateOf(spelledName(name))]).toEqual([name, "choice"]);
    for (const name of "is_active|Aktiv|Active|enabled|Email enabled".split("|"))
      expect([name, stateOf(spelledName(name))]).toEqual([name, "active"]);
    for (const name of [
      "Preferences|Dietary preferences|User permissions|SMS permission|Newsletter preferences updated at|Marketing consent text",
      "Contact owner|Subscription|subscription type|No newsletter subscription|Email|Frequency",
    ].flatMap((names) => names.split("|")))
      expect([name, stateOf(spelledName(name)) === "choice"]).toEqual([name, false]);
    for (const name of [
      "Do not send the newsletter|Keine Newsletter|Newsletter opened|Marketing emails bounced|Newsletter count|SMS marketing",
      "Photo consent|subscription type|Email|Active since|Marketing phone calls",
    ].flatMap((names) => names.split("|")))
      expect([name, stateOf(spelledName(name)) === "wish"]).toEqual([name, false]);
    for (const name of ["status", "statement", "stately home", "SMS status", "WhatsApp-Status", "prototype"])
      expect([name, stateOf(spelledName(name))]).toEqual([name, null]);
  });

  test("that JSON is refused for is one of the table, so both mean the same", () => {
    expect(WHO_LEFT_NAMES.filter((name) => whoLeftField(spelledName(name)) === null)).toEqual([]);
  });
});

describe("a cell", () => {
  const OUT = "UNSUBSCRIBED";
  test.each([
    ["unsubscribed", "yes|TRUE|1|ja|2024-05-01|3.5.2024|too many mails|x|cancelled", OUT],
    ["unsubscribed", "|no|False|0|0.0|nein|null|NULL|\\N|-|n/a|never|0000-00-00 00:00:00|subscribed", null],
    ["unsubscribed", "Do Not Allow|abbestellt|ausgetragen", OUT],
    ["unsubscribed", "Allow|Send|angemeldet", null],
    ["unsubscribed", "Do Not Send|agreed|vorhanden", OUT],
    ["unsubscribed", "https://x.example/u|mailto:u@x.example", "unknown"],
    ["bounced", "1|yes|hard|user unknown|2024-05-01", "BOUNCED"],
    ["bounced", "0||no|soft|Soft bounce", null],
    ["subscribed", "yes|1|true|2024-05-01|1716400000|subscribed|on", null],
    ["subscribed", "no|0|false|unsubscribed|opted_out", OUT],
    ["subscribed", "|null|pending|NEVER_SUBSCRIBED|0000-00-00|01.01.1970", "notAgreed"],
    ["subscribed", "weekly|perhaps", "unknown"],
    ["optedIn", "no|0||-", "notAgreed"],
    ["optedIn", "opted out|UNSUBSCRIBED|widerrufen|désinscrit", OUT],
    ["optedIn", 'Double Opt-In|SOI|Bestätigt|erteilt|angemeldet|["email"]', null],
    ["optedIn", "unbestätigt|ausstehend|nicht erteilt|abgelehnt|declined", "notAgreed"],
    [
      "optedIn",
      "agreed|I agree|liegt vor|vorhanden|single|Double|confirmed_opt_in|implicit|ja|2024-05-01T10:00:00Z|accepted",
      null,
    ],
    // As spreadsheets and tools show dates: also by a day's number, and by the names of months.
    [
      "subscribed",
      "Jan 5, 2023|January 5th, 2023 3:04 pm|5 Jan 2023|5. Januar 2023|5 de enero de 2023|Thu, 05 Jan 2023 10:00:00 GMT|5 stycznia 2023|1er février 2023|2023年1月5日|44927|44927,5|20230105|1.58E+09|1,58E+12",
      null,
    ],
    ["optedIn", "12 apples|since 5 2023|monthly 2023|4492|12345678|1.58E+03|May 2023 only", "unknown"],
    // As PostgreSQL and Rails write booleans, and as people tick lists.
    ["unsubscribed", "t|T|✓|✔️|☑|✅", OUT],
    ["unsubscribed", "f|F|✗|✘|☐|❌|✖️|[]|{}", null],
    ["subscribed", "t|✓|☑", null],
    ["subscribed", "f|✗|☐", OUT],
    ["bounced", '["HARD_BOUNCE"]', "BOUNCED"],
    // What spreadsheets, pandas and PHP write where there is nothing, and what spreadsheets of other languages make of FALSE.
    [
      "unsubscribed",
      "00.00.0000|00/00/0000|01.01.1970 01:00|1/1/1970|12/31/1969|0/1/1900|1/0/1900|-0001-11-30|30.11.-0001|1899-12-30|nan|NaT|#NV|#N/A|(blank)|keine|aucun",
      null,
    ],
    ["unsubscribed", "FALSKT|falsk|USANN|EPÄTOSI|NEPRAVDA|HAMIS|YANLIŞ|ЛОЖЬ|nej|nei|нет|いいえ|否", null],
    [
      "unsubscribed",
      "Not unsubscribed|not yet|noch nicht|nicht abgemeldet|No opt-out|still subscribed",
      null,
    ],
    [
      "unsubscribed",
      "not subscribed|no longer interested|nicht mehr gewünscht|2024-05-01 10:00:00 +0000|1.5.2024",
      OUT,
    ],
    ["subscribed", "Actif|Activo|Attiva|Ativo|actief|aktywny|Inscrit|SANT|PRAVDA|IGAZ|ИСТИНА|да|はい", null],
    ["bounced", "Transient|temporary|Not bounced", null],
    // As people choose in forms.
    ["optedIn", "Yes, please!|Ja, gerne|Oui merci|checked", null],
    ["optedIn", "No thanks|No, thank you|Nein danke|Non, merci|unchecked", "notAgreed"],
    ["subscribed", "No, thanks", OUT],
    ["unsubscribed", "no longer wanted", OUT],
  ] as const)("of %s that holds one of %s", (field, cells, standing) => {
    for (const cell of cells.split("|")) expect([cell, STANDING_IN[field](cell)]).toEqual([cell, standing]);
  });

  test.each([
    [
      OUT,
      "Unsubscribed by admin|Abgemeldet (01.02.2023)|Opted out via form|Désabonné le 3 mai|entfernt|blockiert|Widerspruch|Abmeldung|Spam-Beschwerde|Blacklist|Bloqué|Supprimé|Bloqueado|Eliminado|Desuscrito|Cancellato|Bloccato|Geblokkeerd|Verwijderd|Zablokowany|Usunięty|do_not_mail|spamtrap|Globally unsubscribed|abgemeldet|Ausgetragen|Cancelled|Spam Complaint|Marked as spam|Deleted|gelöscht|Désinscrit|Désabonné|Baja|Dado de baja|Disiscritto|Removido|uitgeschreven|wypisany",
    ],
    ["BOUNCED", "bounced|Hard Bounce|Invalid|Rebotado|NPAI|opgeschoond|unreachable|Quarantined"],
    [
      "notAgreed",
      "keine Einwilligung|nicht abonniert|Pending confirmation|Non inscrit|No suscrito|Non iscritto|Niepotwierdzony|inaktiv|inactive|No consent|Archived|awaiting confirmation|Unactivated|Not activated|Inactif|en attente|Pendiente|in attesa|pendente|nieaktywny|neu (nicht bestätigt)",
    ],
    [null, "active|CA|Bayern|São Paulo|yes|no|0||regular"],
  ] as const)("of people's state that says %s: %s", (standing, cells) => {
    for (const cell of cells.split("|"))
      expect([cell, STANDING_IN_STATE.people(cell)]).toEqual([cell, standing]);
  });

  test("of a wish counts only as a plain no, or where nothing but a subscriber can be meant", () => {
    for (const cell of [
      "no|No, thanks|nein|FALSE|f|✗|non|nie|I'd rather not|Not now|Prefer not to|Please don't|I do not want emails|Maybe later",
      "Lieber nicht|Ich möchte keine Mails|Kein Interesse|Nicht jetzt|Pas maintenant|Ahora no|Liever niet",
    ].flatMap((cells) => cells.split("|")))
      expect([cell, STANDING_IN_STATE.wish(cell)]).toEqual([cell, "notAgreed"]);
    for (const cell of "0|0.0|no|false".split("|"))
      expect([cell, STANDING_IN_STATE.active(cell)]).toEqual([cell, "notAgreed"]);
    for (const cell of "1|3|yes|cancelled|".split("|"))
      expect([cell, STANDING_IN_STATE.active(cell)]).toEqual([cell, null]);
    expect(STANDING_IN_STATE.wish("Unsubscribed")).toBe(OUT);
    for (const cell of "yes|0|0.00|1|12||none|weekly|pending|cancelled|Northern region|Not known|Keine Angabe|Notting Hill|-".split(
      "|",
    ))
      expect([cell, STANDING_IN_STATE.wish(cell)]).toEqual([cell, null]);
  });

  test("of a choice counts as a no, and as one who chose nothing, also as an attribute", () => {
    for (const read of [STANDING_IN_STATE.choice, STANDING_IN_ATTRIBUTE.choice]) {
      for (const cell of [
        "no|No, thanks|nein|FALSE|None|none of the above|Keine|aucun|Ninguna|nessuno|never|off|Not interested|Kein Interesse",
        "declined|denied|pending|not granted|refused|inactive|0|0.0|Lieber nicht|Not now",
      ].flatMap((cells) => cells.split("|")))
        expect([cell, read(cell)]).toEqual([cell, "notAgreed"]);
      expect(read("Unsubscribed")).toBe(OUT);
      expect(read("Do not contact")).toBe(OUT);
      for (const cell of "yes|1|2||weekly|All|Email and post|null|n/a|-|Norwegian".split("|"))
        expect([cell, read(cell)]).toEqual([cell, null]);
    }
  });

  test("of the state of anything counts only where nothing but a subscriber can be meant", () => {
    for (const cell of "active|cancelled|blocked|deleted|pending|inactive|invalid|baja|abgemeldet|free".split(
      "|",
    ))
      expect([cell, STANDING_IN_STATE.anything(cell)]).toEqual([cell, null]);
    for (const [cell, standing] of [
      ["Unsubscribed", OUT],
      ["complained", OUT],
      ["Hard bounced", "BOUNCED"],
      ["undeliverable", "BOUNCED"],
      ["unactivated", "notAgreed"],
      ["Never subscribed", "notAgreed"],
      ["No consent", "notAgreed"],
    ] as const)
      expect([cell, STANDING_IN_STATE.anything(cell)]).toEqual([cell, standing]);
  });
});
