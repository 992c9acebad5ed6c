/**
 * Words with which tools and people say how somebody stands. Yes and no stand as they are written, in lower case; how
 * an answer in words begins, without accents; all others without accents, blanks and signs: `opted_out` is `optedout`.
 */
const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

/** Every phrase that takes one of each: `["a", "b"], ["c"]` is `a c` and `b c`. One that is empty is left out. */
const phrasesOf = (...parts: readonly (readonly string[])[]): readonly string[] =>
  parts.reduce((begun, next) => begun.flatMap((one) => next.map((more) => `${one} ${more}`.trim())), [""]);

/**
 * Yes and no in the languages of the product and others, what spreadsheets make of `true` and `false` there, what
 * PostgreSQL and Rails write for them, and how people tick lists.
 */
export const YES = wordsOf(
  "yes y true t 1 ja wahr oui vrai sí si verdadero sì vero sim verdadeiro waar tak prawda ✓ ✔ ☑ ✅ " +
    "sant sand sann tosi kyllä pravda ano áno igaz igen doğru evet истина да так ναι はい 是",
);
export const NO = wordsOf(
  "no n false f 0 nein falsch non faux falso não nao nee onwaar nie fałsz ✗ ✘ ✖ ☐ ❌ " +
    "falskt falsk usann epätosi nej nei ei nepravda ne hamis nem fals yanlış yanliş hayır hayir ложь нет ні όχι いいえ 否",
);

/** With these words people answer who are asked in a form: `Ja, gerne`, `No, thanks`. */
export const ANSWERS_YES = ["yes", "ja", "oui", "si", "sim", "tak"];
export const ANSWERS_NO = ["no", "nein", "non", "nee", "nao", "nie"];
/** A no in other words. The last word must end there: `do nothing` is no such answer. */
export const NO_IN_WORDS = [
  ...phrasesOf(["", "i", "i'd", "i would"], ["rather", "prefer", "better"], ["not"]),
  ...phrasesOf(["", "i", "please"], ["do not", "don't", "dont"]),
];
/** The same, but the last word may go on: `lieber keine` is one too. */
export const BEGINNINGS_OF_NO = [
  ...phrasesOf(["not"], ["now", "yet", "interested", "wanted", "really", "at this", "at the"]),
  "maybe later",
  ...phrasesOf(
    ["", "ich"],
    ["lieber", "eher", "bitte", "zurzeit", "derzeit", "momentan", "jetzt", "noch", "mochte", "will"],
    ["nicht", "kein"],
  ),
  ...phrasesOf(["nicht"], ["jetzt", "gewunscht", "erwunscht", "interessiert"]),
  ...phrasesOf(["kein", "keine"], ["interesse", "bedarf", "newsletter", "werbung", "email", "e-mail"]),
  ...phrasesOf(["pas"], ["maintenant", "interesse"]),
  "plus tard",
  "ahora no",
  "por ahora no",
  "agora nao",
  "liever niet",
  "nu niet",
];

export const ACTIVE = wordsOf(
  "active aktiv actif activo activa attivo attiva ativo ativa actief aktywny aktywna",
);
export const IS_YES = wordsOf(
  "confirmed accepted agreed agree iagree granted checked on x email liegtvor vorhanden bestatigt erteilt akzeptiert",
);
export const STAYS = wordsOf(
  "optedin optin doubleoptin singleoptin confirmedoptin marketingcontact double single doi soi allow allowed send implied implicit express explicit regular premium gifted trialed " +
    "eingetragen eingewilligt zugestimmt",
);
/** Who gets mail, as a state says it. */
export const GETS_MAIL = wordsOf(
  "subscribed abonniert angemeldet abonne abonnee inscrit inscrite suscrito suscrita iscritto iscritta inscrito inscrita " +
    "ingeschreven zapisany zapisana",
);
export const SAYS_NOTHING = wordsOf(
  "null nil none na nan nat nv undefined blank never off keine keiner aucun aucune ninguno nessuno geen nenhum",
);
/** What somebody says who was asked to choose. A program may write `None` for nothing too: who may have agreed is asked again. */
export const NOTHING_CHOSEN = wordsOf(
  "none noneoftheabove noneofthese nothing never off keine keiner keines nichts niemals nie aucun aucune rien jamais ninguno ninguna " +
    "nada nunca nessuno nessuna niente mai geen niets nooit nenhum nenhuma brak nic nigdy " +
    "notinterested keininteresse nichtinteressiert nichterwunscht nichtgewunscht unerwunscht refused rejected forbidden notallowed notgranted",
);
export const HAS_LEFT = wordsOf(
  "unsubscribed unsubscribe cancelled canceled optedout optout complained complaint spam blocked blacklisted " +
    "blocklisted blacklist suppressed revoked withdrawn donotallow donotcontact donotemail donotmail donotsend spamtrap spamcomplaint markedasspam " +
    "reportedasspam removed deleted disabled deactivated abgemeldet abbestellt ausgetragen gesperrt gekundigt geloscht " +
    "deaktiviert entfernt blockiert abmeldung spambeschwerde widerspruch bloque supprime bloqueado bloqueada eliminado " +
    "eliminada desuscrito desuscrita cancellato bloccato geblokkeerd verwijderd zablokowany usuniety globallyunsubscribed " +
    "widerrufen widersprochen desinscrit desinscrite desabonne desabonnee baja debaja dadodebaja dadadebaja " +
    "cancelado cancelada removido disiscritto disiscritta descadastrado uitgeschreven afgemeld wypisany wypisana",
);
export const IS_DEAD = wordsOf(
  "bounced bouncing previousbounce hardbounced hardbounce bounce cleaned undeliverable unreachable invalid quarantined onhold unzustellbar " +
    "nichtzustellbar ungultig npai rejete rebotado opgeschoond",
);
export const NEVER_AGREED = wordsOf(
  "inactive unchecked spammy pending unconfirmed notconfirmed notsubscribed neversubscribed nonsubscribed notoptedin denied declined " +
    "noconsent nonmarketingcontact pendingconfirmation keineeinwilligung nichtabonniert noninscrit nonabonne nosuscrito " +
    "noniscritto niepotwierdzony archived transactional unactivated notactivated awaitingconfirmation " +
    "inaktiv unbestatigt nichtbestatigt neunichtbestatigt nichtangemeldet ausstehend nichterteilt abgelehnt verweigert " +
    "inactif enattente inactivo pendiente inattivo inattesa inativo pendente inactief nieaktywny doaktywacji",
);
/** Words that nobody has for anything but a subscriber. */
export const OF_SUBSCRIBERS = wordsOf(
  "unsubscribed unsubscribe optedout optout complained spamcomplaint hardbounced hardbounce bouncing previousbounce undeliverable spammy unactivated " +
    "unconfirmed notsubscribed neversubscribed nonsubscribed noconsent desabonne desabonnee disiscritto disiscritta descadastrado",
);

/** Words that orders, payments and bookings have too. */
export const OF_ORDERS = wordsOf(
  "cancelled canceled deleted removed declined denied blocked onhold invalid archived gekundigt geloscht entfernt " +
    "ausstehend abgelehnt verweigert enattente supprime cancelado cancelada eliminado eliminada removido pendiente " +
    "cancellato inattesa pendente verwijderd usuniety",
);
