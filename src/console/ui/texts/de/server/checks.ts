import type { Said } from "../../server-words.ts";

/** The objects of checks. They come before what was found. */
const LOOKED_AT: readonly Said[] = [
  ["SPF of bounceDomain {}", "SPF der bounceDomain {1}"],
  ["SPF of {}", "SPF von {1}"],
  ["DMARC of {}", "DMARC von {1}"],
  ["DKIM at {}", "DKIM bei {1}"],
  ["DNS of {}", "DNS von {1}"],
  ["MX of {}", "MX von {1}"],
  ["bounceDomain {}", "bounceDomain {1}"],
  ["relay {}", "Relay {1}"],
  ["mailbox at {}", "Postfach bei {1}"],
  ["settings of {}", "Einstellungen"],
  ["webhook to {}", "Webhook an {1}"],
  ["mail to {}", "E-Mail an {1}"],
  ["setting smtpUrl", "Einstellung smtpUrl"],
  ["setting bounceMailbox", "Einstellung bounceMailbox"],
  ["bounces and complaints", "Rückläufer und Beschwerden"],
  ["base url", "BASE_URL"],
  ["relays", "Relays"],
  ["relay", "Relay"],
  ["mail", "E-Mail"],
  ["mailbox", "Postfach"],
  ["settings", "Einstellungen"],
  ["sending", "Versand"],
  ["DNS", "DNS"],
  ["DKIM", "DKIM"],
  ["DKIM key", "DKIM-Schlüssel"],
];

/** What the checks of a workspace's mail say, and what they advise. */
export const checks: readonly Said[] = [
  ...LOOKED_AT,
  ...LOOKED_AT.map(([english, here]): Said => {
    const found = english.split("{}").length;
    return [`${english}: {}`, `${here}: <${found}>`];
  }),
  [
    "settings of {}: mailingAddress is not set: campaigns are refused",
    "Einstellungen: Die Postanschrift fehlt, also werden Kampagnen abgelehnt",
  ],
  [
    "settings of {}: fromEmail is not set: campaigns are refused",
    "Einstellungen: Die Absenderadresse fehlt, also werden Kampagnen abgelehnt",
  ],
  [
    "settings of {}: mailingAddress and fromEmail are not set: campaigns are refused",
    "Einstellungen: Postanschrift und Absenderadresse fehlen, also werden Kampagnen abgelehnt",
  ],
  ["{} (at {})", "{1} (bei {2})"],
  [
    "The relay did not accept the message ({}). Nothing was delivered: the request may be sent again.",
    "Das Relay hat die Nachricht nicht angenommen, also wurde nichts verschickt. Der Grund: {1}",
  ],
  ["complete", "vollständig"],
  [
    "aligned with fromEmail at {}, so SPF counts for DMARC",
    "passt zu fromEmail bei {1}, also zählt SPF für DMARC",
  ],
  [
    "not aligned with fromEmail at {}: SPF does not count for DMARC",
    "passt nicht zu fromEmail bei {1}: SPF zählt nicht für DMARC",
  ],
  [
    "take a name below {}, such as bounces.{}, or be sure that DKIM signs",
    "nehmen Sie einen Namen unter {1}, etwa bounces.{2}, oder sorgen Sie dafür, dass DKIM signiert",
  ],
  ["there is none, so reports cannot arrive", "es gibt keinen, also kommen keine Berichte an"],
  [
    "publish an MX record at {}: the name of this server with INBOUND_SMTP, or of the mailbox's provider",
    "veröffentlichen Sie einen MX-Eintrag bei {1}: den Namen dieses Servers mit INBOUND_SMTP oder den des Postfach-Anbieters",
  ],
  ["{}; its mail has to arrive in bounceMailbox", "{1}; was dort ankommt, muss in bounceMailbox liegen"],
  ["{}, and nobody reads what arrives there", "{1}, und niemand liest, was dort ankommt"],
  [
    "set bounceMailbox to the mailbox it arrives in, or start the server with INBOUND_SMTP",
    "geben Sie in bounceMailbox das Postfach an, in dem es ankommt, oder starten Sie den Server mit INBOUND_SMTP",
  ],
  ["{}, which is this machine", "{1}, und das ist diese Maschine"],
  [
    "{} has no address of this machine, and INBOUND_SMTP takes the mail here",
    "{1} hat keine Adresse dieser Maschine, und INBOUND_SMTP nimmt die E-Mails hier an",
  ],
  [
    "let the MX record name this server; where it is behind another address, see that port 25 leads here",
    "der MX-Eintrag muss diesen Server nennen; liegt er hinter einer anderen Adresse, muss deren Port 25 hierher führen",
  ],
  ["captured, not delivered", "wird abgefangen und nicht zugestellt"],
  [
    "set SMTP_URL for the service, or smtpUrl for this workspace",
    "geben Sie ein Relay für diesen Arbeitsbereich an; oder wer den Server betreibt, gibt ihm eines",
  ],
  ["correct it in the settings", "berichtigen Sie es in den Einstellungen"],
  [
    "look at the relay, and at the server's log; mail waits until it works again",
    "sehen Sie nach dem Relay und in das Log des Servers; E-Mails warten, bis es wieder geht",
  ],
  ["mail is on its way through it", "E-Mails gehen gerade hindurch"],
  ["still being looked up", "wird noch nachgesehen"],
  ["ask again in some seconds", "fragen Sie in einigen Sekunden noch einmal"],
  ["there is no record", "es gibt keinen Eintrag"],
  ["publish one TXT record at {}: {}", "veröffentlichen Sie einen TXT-Eintrag bei {1}: {2}"],
  [
    "there are {} records, so none counts (RFC 7208, 4.5)",
    "es gibt {1} Einträge, also zählt keiner (RFC 7208, 4.5)",
  ],
  ["keep one of them", "behalten Sie einen davon"],
  ["{} lets everybody send", "{1} lässt alle senden"],
  ["end it with ~all or -all", "beenden Sie ihn mit ~all oder -all"],
  [
    "publish a TXT record at _dmarc.{}: v=DMARC1; p=none; rua=mailto:<you>. Large mailbox providers ask for one",
    "veröffentlichen Sie einen TXT-Eintrag bei _dmarc.{1}: v=DMARC1; p=none; rua=mailto:<Sie>. Große Postfach-Anbieter verlangen ihn",
  ],
  ["there are {} records at {}, so none counts", "es gibt {1} Einträge bei {2}, also zählt keiner"],
  ["{} has no valid p=", "{1} hat kein gültiges p="],
  ["give it p=none, p=quarantine or p=reject", "geben Sie ihm p=none, p=quarantine oder p=reject"],
  ["publish a TXT record at {}: {}", "veröffentlichen Sie einen TXT-Eintrag bei {1}: {2}"],
  [
    "there is no record, so signatures cannot be checked",
    "es gibt keinen Eintrag, also lassen sich Signaturen nicht prüfen",
  ],
  ["there are {} records", "es gibt {1} Einträge"],
  ["the key is revoked (p= is empty)", "der Schlüssel ist widerrufen (p= ist leer)"],
  ["its key is not the one of dkimPrivateKeyFile", "sein Schlüssel ist nicht der von dkimPrivateKeyFile"],
  ["there is a key", "es gibt einen Schlüssel"],
  ["its key is the one mail is signed with", "sein Schlüssel ist der, mit dem E-Mails signiert werden"],
  ["could not be asked", "war nicht zu erreichen"],
  [
    "SPF, DMARC and DKIM were not looked at: run this where DNS answers",
    "SPF, DMARC und DKIM wurden nicht geprüft: Das geht nur, wo DNS antwortet",
  ],
  ["run this where DNS answers", "das geht nur, wo DNS antwortet"],
  [
    "its name servers fail or are slow, for receivers of your mail too: ask whoever runs the DNS of this domain",
    "seine Nameserver versagen oder sind langsam, auch für die Empfänger Ihrer E-Mails: Fragen Sie, wer das DNS dieser Domain betreibt",
  ],
  ["not set; BASE_URL speaks of no proxy", "nicht gesetzt; BASE_URL nennt keinen Proxy"],
  [
    "not set; a proxy on this machine is believed",
    "nicht gesetzt; einem Proxy auf dieser Maschine wird geglaubt",
  ],
  [
    "not set, and the server listens on {}: of a proxy on another machine or in another container, X-Forwarded-For is ignored",
    "nicht gesetzt, und der Server horcht auf {1}: X-Forwarded-For eines Proxys auf einer anderen Maschine oder in einem anderen Container wird übergangen",
  ],
  [
    "set TRUSTED_PROXIES to the proxy's address, or to loopback where it runs on this machine",
    "geben Sie in TRUSTED_PROXIES die Adresse des Proxys an, oder loopback, wenn er auf dieser Maschine läuft",
  ],
  [
    "{}; mail is captured, so nobody else follows it",
    "{1}; E-Mails werden abgefangen, also folgt ihr niemand sonst",
  ],
  ["{} leads nowhere but to this machine", "{1} führt nur zu dieser Maschine"],
  [
    "set BASE_URL to the https address people reach this service by",
    "geben Sie in BASE_URL die https-Adresse an, unter der dieser Dienst zu erreichen ist",
  ],
  ["{} is not https", "{1} ist nicht https"],
  [
    "put a proxy with a certificate in front and set BASE_URL to its https address: one-click unsubscribe needs it",
    "stellen Sie einen Proxy mit Zertifikat davor und geben Sie in BASE_URL seine https-Adresse an: Die Abmeldung mit einem Klick braucht das",
  ],
  ["no session, at {}: {}", "keine Verbindung, bei {1}: {2}"],
  ["it takes no login, though SMTP_URL has one", "es nimmt keine Anmeldung, obwohl seine Adresse eine hat"],
  ["check the port: submission is 587 or 465", "prüfen Sie den Port: üblich sind 587 oder 465"],
  ["reached without TLS, {}", "ohne TLS erreicht, <1>"],
  ["reached {}, {}", "erreicht <1>, <2>"],
  ["with TLS", "mit TLS"],
  ["logged in", "angemeldet"],
  ["without a login", "ohne Anmeldung"],
  [
    "use smtps:// or another port: mail is readable on its way",
    "nehmen Sie smtps:// oder einen anderen Port: Sonst ist die E-Mail unterwegs lesbar",
  ],
  ["on this machine", "auf dieser Maschine"],
  [
    "check user and password in SMTP_URL; special characters are percent-encoded",
    "prüfen Sie Benutzer und Passwort in der Adresse des Relays",
  ],
  [
    "check the relay's name against its certificate; smtps:// is for ports that speak TLS from the first byte",
    "vergleichen Sie den Namen des Relays mit seinem Zertifikat; smtps:// ist für Ports, die vom ersten Byte an TLS sprechen",
  ],
  [
    "write smtp:// instead of smtps:// in SMTP_URL: such a port, for example 587, changes to TLS later (STARTTLS)",
    "schreiben Sie in der Adresse des Relays smtp:// statt smtps://: Ein solcher Port, zum Beispiel 587, wechselt erst später zu TLS (STARTTLS)",
  ],
  [
    "check host and port in SMTP_URL, and whether this machine may reach it (many networks block port 25)",
    "prüfen Sie Host und Port in der Adresse des Relays, und ob diese Maschine dorthin darf (viele Netze sperren Port 25)",
  ],
  ["it can be read", "ist lesbar"],
  ["bounces are not read: {}", "Rückläufer werden nicht gelesen: {1}"],
  [
    "set bounceMailbox with the right user and password; special characters are percent-encoded",
    "geben Sie in bounceMailbox den richtigen Benutzer und das richtige Passwort an; Sonderzeichen in Prozentschreibweise",
  ],
  [
    "check host, port and folder in bounceMailbox, and whether this machine may reach it",
    "prüfen Sie Host, Port und Ordner in bounceMailbox, und ob diese Maschine dorthin darf",
  ],
  ["{} takes mail", "{1} nimmt E-Mails an"],
  ["nothing takes mail at {}: {}", "bei {1} nimmt nichts E-Mails an: {2}"],
  [
    "start the server with INBOUND_SMTP; a port below 1024 needs the right to open it",
    "starten Sie den Server mit INBOUND_SMTP; ein Port unter 1024 braucht das Recht, ihn zu öffnen",
  ],
  ["{} {}, so nothing is sent", "{1} <2>, also geht nichts hinaus"],
  [
    "make one: postrider dkim create --selector NEW",
    "erstellen Sie einen: postrider dkim create --selector NEU",
  ],
  ["cannot be read ({})", "ist nicht lesbar ({1})"],
  [
    "slowed down since {}: it says that our mail comes too fast",
    "gebremst seit {1}: Dort heißt es, unsere E-Mails kämen zu schnell",
  ],
  [
    "mail goes on slowly by itself; a limit in the setting domainLimits asks less of it from the start",
    "es geht von selbst langsam weiter; eine Grenze in der Einstellung domainLimits verlangt von Anfang an weniger",
  ],
  ["disabled, so it is told nothing: {}", "abgeschaltet, also erfährt er nichts: <1>"],
  [
    'correct the receiver, then PATCH /api/v1/webhooks/{} with {"enabled":true}',
    "beheben Sie es beim Empfänger, und schalten Sie den Webhook wieder ein",
  ],
  ["it has taken nothing since {}", "er hat seit {1} nichts angenommen"],
  [
    "see why: GET /api/v1/webhooks/{}/deliveries; after three days it is disabled",
    "den Grund zeigt „Aktivität“; nach drei Tagen wird er abgeschaltet",
  ],
  ["correct it with postrider settings set", "berichtigen Sie es mit postrider settings set"],
  ["mail is not signed here", "hier werden E-Mails nicht signiert"],
  [
    "postrider dkim create, unless your relay signs",
    "Führen Sie auf dem Server „postrider dkim create“ aus, wenn nicht Ihr Relay signiert.",
  ],
  ["{} not set, so {}", "{1} fehlt, also: <2>"],
  ["mail is not signed", "E-Mails werden nicht signiert"],
  ["nothing is sent", "nichts geht hinaus"],
  ["set all three, or none", "geben Sie alle drei an, oder keines"],
  ["{} {} not set: campaigns are refused", "<1> fehlt: Kampagnen werden abgelehnt"],
  ["mailingAddress and fromEmail", "mailingAddress und fromEmail"],
  ["postrider settings set --workspace {} {}", "geben Sie es in den Einstellungen an"],
  ["sending is suspended", "der Versand ist angehalten"],
  ["sending is switched off", "der Versand ist ausgeschaltet"],
  [
    "when it may go on: postrider settings set --workspace {} {}",
    "wenn es weitergehen darf: postrider settings set --workspace {1} {2}",
  ],
  [
    "mail only people who asked for it; providers take less and less of such mail",
    "schreiben Sie nur an Leute, die darum gebeten haben; Anbieter nehmen von solchen E-Mails immer weniger",
  ],
  [
    "of the {} messages of the last {} days, {} bounced and {} were complained about",
    "von den {1} Nachrichten der letzten {2} Tage waren <3> unzustellbar, und über <4> gab es Beschwerden",
  ],
  [
    "Of the {} messages of the last {} days, {} were complained about: {}, more than {}.",
    "Über {3} der {1} Nachrichten der letzten {2} Tage gab es Beschwerden: <4>, mehr als <5>.",
  ],
  [
    "Of the {} messages of the last {} days, {} bounced: {}, more than {}.",
    "{3} der {1} Nachrichten der letzten {2} Tage waren unzustellbar: <4>, mehr als <5>.",
  ],
  ["{}.{}%", "{1},{2} %"],
  ["{}%", "{1} %"],
  [
    "One message went out in the last {} days, and {} complaints came in: {}, more than {}.",
    "In den letzten {1} Tagen ging eine Nachricht hinaus, und es kamen {2} Beschwerden: <3>, mehr als <4>.",
  ],
  ["no message went out in the last {} days", "in den letzten {1} Tagen ging keine Nachricht hinaus"],
  [
    "one message went out in the last {} days; bounces: {}, complaints: {}",
    "in den letzten {1} Tagen ging eine Nachricht hinaus; Rückläufer: {2}, Beschwerden: {3}",
  ],
];
