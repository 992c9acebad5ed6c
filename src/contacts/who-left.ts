/**
 * Names by which other services and people say who left and who gets mail: headers of files, and members of
 * JSON. The one table of them: bodies are refused for them (`foreign-names.ts`), columns are read
 * (`imports/rows/standing/standing-cells.ts`).
 */
import type { SpelledName } from "#core/text/spelled-name.ts";

/**
 * What a column names. `unsubscribed`, `bounced`: people who get nothing. `subscribed`: people who get mail, so others
 * have left. `optedIn`: people who agreed, so others may never have.
 */
export const WHO_LEFT_FIELDS = ["unsubscribed", "bounced", "subscribed", "optedIn"] as const;
export type WhoLeftField = (typeof WHO_LEFT_FIELDS)[number];

/** As `SpelledName` has them, anywhere in a name; the first line that fits counts. */
const WORDS: readonly (readonly [WhoLeftField, string])[] = [
  ["unsubscribed", "unsub|unsubbed|unsubscribed?|unsubscription|opt(?:ed)? ?out|not (?:subscribed|opted in)"],
  // As PostgreSQL writes `isUnsubscribed` and `unsubscribedAt`.
  ["unsubscribed", "(?:is|has)(?:unsubscribed|optedout)|unsubscribed(?:at|on|date)|isexcludedfromcampaigns"],
  ["unsubscribed", "(?:black|block)list(?:ed)?|blocked|suppress(?:ed|ions?)|complain(?:ed|t)|deactivated"],
  ["unsubscribed", "do ?not (?:contact|market|mail)|do ?not ?(?:allow |bulk ?)*e ?mails?"],
  ["unsubscribed", "dnc|do ?not ?disturb"],
  ["unsubscribed", "marked as spam|spam report(?:ed)?|reported (?:as )?spam|excluded from campaigns?"],
  [
    "unsubscribed",
    "abgemeldet|(?:newsletter ?)?abmeldung|abmelde(?:datum|zeitpunkt|grund)|abbestellt|abbestellung|deaktiviert",
  ],
  ["unsubscribed", "sperr(?:liste|vermerk)|robinson ?liste|liste noire|lista (?:negra|nera)|plainte"],
  [
    "unsubscribed",
    "ausgetragen|austragung|austragungsdatum|gesperrt|(?:werbe|kontakt|mail|newsletter) ?sperre",
  ],
  ["unsubscribed", "(?:einwilligung|zustimmung|newsletter) (?:widerrufen|widerruf)|werbewiderspruch"],
  [
    "unsubscribed",
    "keine? (?:werbung|newsletter|e ?mails?|mailings?)|nicht (?:mehr )?(?:kontaktieren|anschreiben)",
  ],
  [
    "unsubscribed",
    "werbung widersprochen|widerspruch (?:gegen )?(?:werbung|newsletter)|abbestelldatum|blockiert",
  ],
  ["unsubscribed", "ne (?:pas|plus) contacter|(?:no|nao) contactar|non contattare|niet mailen"],
  ["unsubscribed", "desuscrito|desuscripcion|fecha baja|uitschrijfdatum|data wypisania|data de descadastro"],
  ["unsubscribed", "^no (?:e ?mail|mailing)$|e ?mails? disabled|do ?not ?send ?marketing(?: ?materials?)?"],
  ["unsubscribed", "consent (?:revoked|withdrawn)"],
  ["unsubscribed", "desinscrit|desinscription|desabonne|desabonnement"],
  ["unsubscribed", "dado de baja|fecha de baja|disiscritto|disiscrizione|descadastrado|cancelou inscricao"],
  ["unsubscribed", "uitgeschreven|afgemeld|afmelding|wypisany|wypisano"],
  [
    "bounced",
    "bounced?|hardbounced?|^(?:(?:is|e ?mail) )?cleaned(?: (?:at|on|date|time))?$|unzustellbar|undeliverab(?:le|ility)|npai",
  ],
  [
    "bounced",
    "e ?mail ?\\d? (?:is )?bad|e ?mail (?:ungultig|bad address)|(?:ungultige|bad) e ?mail|invalid e ?mail|e ?mail(?: address)? (?:is )?(?:invalid|quarantined)",
  ],
  ["optedIn", "opt(?:ed)? ?in|accepts (?:e ?mail )?marketing|(?:e ?mail|marketing|newsletter) consent"],
  ["optedIn", "(?:e ?mail|marketing|newsletter) (?:permission|allowed)$"],
  ["optedIn", "(?:receives?|wants?) (?:the )?(?:newsletter|e ?mails?|marketing)"],
  ["optedIn", "(?:e ?mail|newsletter|werbe|marketing|dsgvo) ?(?:einwilligung|zustimmung)"],
  ["optedIn", "(?:e ?mails?|newsletter|werbung) (?:erwunscht|gewunscht|erlaubt)"],
  [
    "optedIn",
    "(?:einwilligung|zustimmung) (?:in |zum? |zur |fur )?(?:den |die )?(?:e ?mails?|newsletter|werbung)",
  ],
  ["subscribed", "subscribed|abonniert"],
];

/** Only as the whole of a name: in others these words mean anything. */
const WHOLE: ReadonlyMap<string, WhoLeftField> = new Map(
  Object.entries({
    unsubscribed:
      "sperre|disabled|is this account disabled|removed|removed at|deleted|deleted at|geloscht|geloscht am|baja|de baja",
    bounced: "on hold|e mail on hold|email on hold",
    optedIn:
      "confirmed|is confirmed|verified|email verified|is this subscriber confirmed|activated|aktiviert|aktiviert am|bestatigt|newsletter|consent|" +
      "gdpr consent|einwilligung|zustimmung|consentement|consentimiento|consenso|consentimento|toestemming|zgoda",
    subscribed:
      "abonne|abonne newsletter|abonne a la newsletter|inscrit|inscrit newsletter|inscrit a la newsletter|suscrito|" +
      "iscritto|inscrito|ingeschreven|zapisany",
  } satisfies Record<WhoLeftField, string>).flatMap(([field, names]) =>
    names.split("|").map((name) => [name, field as WhoLeftField] as const),
  ),
);

const anyOf = (words: string): RegExp => new RegExp(`\\b(?:${words})\\b`);
const KNOWN = WORDS.map(([field, words]) => [field, anyOf(words)] as const);
/** Most names have none of them: one look is enough for these. A file may have ten thousand columns. */
const ANY_KNOWN = anyOf(WORDS.map(([, words]) => words).join("|"));

/** Other ways than email; and figures, which say how often something failed. */
const OF_SOMETHING_ELSE = anyOf(
  "sms|mms|phone|mobile|whats ?app|push|counts?|number|num|total|rate|score|soft|e ?mails bounced",
);
/** These too, where no email is named beside them. */
const OFF_LINE = anyOf(
  "fax|telefax|telefone?|telephone|calls?|texts?|^post|(?<!(?:blog|new) )post$|postal|direct mail|cookies|opt(?:ed)? out of sale",
);
const NAMES_EMAIL = anyOf("e ?mails?|newsletters?|marketing");
/** What a person would click to leave, which everybody has. */
const WAY_OUT = anyOf("link|url|uri|href|token|hash|key|code|page|id");
const HAS_LEFT = anyOf("[a-z]+ed");
/** How and when somebody joined, not whether they stayed. */
const HOW_THEY_JOINED = anyOf(
  "at|on|am|le|date|datum|time|timestamp|since|from|ip|source|url|page|form|method|type|id|lists?|groups?|topics?|to$|" +
    "channel|campaign|referr?er|agent|country|city|location|text|version|by$|via$|" +
    "quelle|herkunft|zeit|zeitpunkt|uhrzeit|zeitstempel|formular|seite|typ|art$|kanal|kampagne|land|ort|durch$|uber$",
);

/**
 * People are asked for their wish in words that may mean other things too: only a plain no in such a column says
 * something. Not where a name denies it, or is about what became of mail.
 */
const ASKS_FOR_WISH = anyOf(
  "[a-z]{0,20}newsletter[a-z]{0,20}|nieuwsbrief|boletin|rundbrief|rundmail|infomail|mailings?|mailing list|mailversand|verteiler|" +
    "marketing[a-z]{0,10}|(?:e ?mail ?)?werbung|publicidad|publicite|pubblicita|gdpr|rgpd|dsgvo|" +
    "^(?:subscriptions?|news|updates)$|subscribe|sign ?up|keep (?:me|us) (?:informed|updated|posted)|(?:happy|ok|okay) to be contacted|" +
    "(?:can|may|ok to|okay to|contact(?:ed)? by|kontakt per) e ?mail|e ?mail updates|(?:accepte|accepter|recevoir) .{0,20}e ?mails?|" +
    "(?:can|may) we (?:e ?mail|contact|write)|(?:e ?mail|contact) me|hear from us|(?:keep|stay) in touch|stay (?:informed|updated)|" +
    "send (?:me )?(?:e ?mails?|news|offers|updates)|allows? e ?mails?|(?:e ?)?mailable|contactable|e ?mail (?:ok|okay)|" +
    "(?:wants?|receives?) (?:news|offers|updates)|promotional e ?mails?|infos? per (?:e ?)?mail|infomails|[a-z]{1,20}mailings?|" +
    "recibir correos|(?:communications|comunicaciones|comunicazioni|comunicacoes) (?:commerciales|comerciales|commerciali|comerciais)",
);
/** What somebody chose or allowed: whoever chose nothing there agreed to nothing. */
const CHOICE = anyOf(
  "(?:[a-z]{1,20})?(?:preferences?|praferenz(?:en)?|einstellung(?:en)?|erlaubnis)|preferencias?|preferenz[ae]|voorkeur(?:en)?|" +
    "preferencj[ea]|frequency|permissions?|permisos?|permess[oi]|permissao|autori[sz]ations?|autorizacion|autorizzazione|" +
    "autorizacao|einverstandnis|consents?|subscriptions?|choices?",
);
/** Of mail: other preferences may be about food, and other permissions about a program. */
const OF_MAIL = anyOf(
  "e ?mails?|mailings?|newsletters?|marketing|communications?|contact|kontakt|kommunikations?(?:praferenz(?:en)?|einstellung(?:en)?)|" +
    "correos?|(?:kontakt|werbe|mail|newsletter)(?:erlaubnis|praferenz(?:en)?|einstellung(?:en)?)",
);
const IS_CHOICE = new RegExp(
  "^(?:permissions?|subscription preferences?|erlaubnis|permiso|permesso|permissao|autori[sz]ation|autorizacion|autorizzazione|" +
    "autorizacao|einverstandnis|einverstanden|(?:i )?agreed?|gdpr|rgpd|dsgvo|consent|einwilligung|zustimmung)(?: (?:status|given|granted|erteilt))?$|" +
    "^(?:e ?mail )?(?:newsletters|mailings?|marketing(?: e ?mails?)?|mailing ?lists?)$",
);
const DENIES = anyOf(
  "not|no|never|stop|without|ohne|kein|keine|nicht|ne|pas|sin|senza|geen|niet|" +
    "bounced|opened|clicked|read|sent|delivered|failed|spam|contact owner",
);
const IS_ACTIVE = /^(?:is )?(?:(?:e ?mail )?enabled|active|aktiv|actif|activo|attivo|ativo|actief|aktywny)$/;

const STATE = "(?:state|status|statut|estado|stato|stan|zustand|situacao)";
/** A word for how people stand, such as `active`. Of a place too: only words that nothing else means count in it. */
const STATE_OF_PEOPLE = new RegExp(
  "^(?:(?:e|e?mail|marketing|newsletter|subscriptions?|subscribers?|contact|member|list|mailing|opt|in|consent|" +
    `permission|global|deliverability|abo|abonnement|kontakt) )*${STATE}$|` +
    `^${STATE} (?:(?:of|de|del|della|dell|do|da|du|la|l|d|des|van) )*(?:e ?mail|newsletter|subscription|abonnement|` +
    "inscription|suscripcion|iscrizione|inscricao|assinatura|subskrypcji|contacto?|kontakt)$|" +
    "^(?:newsletter|mail|email|abo|anmelde|kontakt|empfanger|abonnenten)status$|^subscriber type$",
);
/** How something stands, or what it is: a tool that is named in front, an order, a person. */
const STATE_OF_ANYTHING = new RegExp(`\\b(?:${STATE}|[a-z]+status|type|typ)\\b`);

const namesChoice = (words: string): boolean =>
  IS_CHOICE.test(words) ||
  (CHOICE.test(words) && OF_MAIL.test(words) && !DENIES.test(words) && !HOW_THEY_JOINED.test(words));

const isOfSomethingElse = (words: string): boolean =>
  OF_SOMETHING_ELSE.test(words) || (OFF_LINE.test(words) && !NAMES_EMAIL.test(words));

/** Which people a name is about; null: it says nothing of that. */
export function whoLeftField({ words }: SpelledName): WhoLeftField | null {
  const whole = WHOLE.get(words);
  if (whole !== undefined) return whole;
  if (!ANY_KNOWN.test(words)) return null;
  const field = KNOWN.find(([, known]) => known.test(words))?.[0];
  if (field === undefined || isOfSomethingElse(words)) return null;
  const namesWhoStays = field === "subscribed" || field === "optedIn";
  if (namesWhoStays) return HOW_THEY_JOINED.test(words) ? null : field;
  return WAY_OUT.test(words) && !HAS_LEFT.test(words) ? null : field;
}

/**
 * `choice`: what somebody chose or allowed about mail. `wish`: whether somebody wants mail, asked in other words. `active`:
 * whether they are that.
 */
export type StateOf = "people" | "anything" | "choice" | "wish" | "active";

/** Whose state a name is that of, other than our `status`. Null: of none. */
export function stateOf({ name, words }: SpelledName): StateOf | null {
  if (name === "status") return null;
  if (namesChoice(words)) return isOfSomethingElse(words) ? null : "choice";
  if (STATE_OF_PEOPLE.test(words)) return "people";
  if (IS_ACTIVE.test(words)) return "active";
  const asks = ASKS_FOR_WISH.test(words) && !DENIES.test(words);
  const state = STATE_OF_ANYTHING.test(words) ? "anything" : asks ? "wish" : null;
  return state === null || isOfSomethingElse(words) ? null : state;
}

/** Members that are refused in JSON, because they would change what happens. The table above knows all of them. */
export const WHO_LEFT_NAMES: readonly string[] = `
  unsub unsubscribed isUnsubscribed unsubscribedAt unsubscribeReason unsubscribedFromEmails
  unsubscribedFromAllEmail optOut optedOut optedOutAt emailOptOut hasOptedOut hasOptedOutOfEmail
  emailBlacklisted blacklisted blocklisted suppressed bounced isBounced bouncedAt hardBounced
  complained subscribed isSubscribed subscribedToEmails subscribedToNewsletter emailSubscribed optIn
  optedIn emailOptIn hasOptedIn acceptsMarketing acceptsEmailMarketing marketingConsent
  emailMarketingConsent emailConsent doNotContact doNotEmail
`
  .trim()
  .split(/\s+/);
