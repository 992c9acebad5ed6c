import type { Texts } from "../en/index.ts";

export const suppressions: Texts["suppressions"] = {
  title: "Adressen, die nie angeschrieben werden",
  says: "Sie waren unzustellbar, haben sich beschwert, oder jemand hat sie eingetragen. Importe und Anmeldungen ändern das nicht.",
  address: "Adresse",
  search: "Adressen suchen",
  why: "Warum",
  since: "Seit",
  actions: "Aktionen",
  reasons: {
    HARD_BOUNCE: "Die Adresse gibt es nicht",
    COMPLAINT: "Hat sich beschwert",
    MANUAL: "Von Hand eingetragen",
    UNSUBSCRIBED: "Hat sich abgemeldet",
  },
  add: "Nie anschreiben",
  remove: "Wieder erlauben",
  removed: (email) => `${email} darf wieder angeschrieben werden.`,
  none: "Noch keine. Unzustellbare Adressen und Beschwerden erscheinen hier von selbst.",
  noneFound: "Keine solche Adresse.",
  domains: "Gesperrte Domains",
  domainsSay: "Niemand bei diesen Domains wird angeschrieben.",
  domain: "Domain",
  block: "Sperren",
  unblock: "Freigeben",
  unblocked: (domain) => `${domain} ist nicht mehr gesperrt.`,
  noDomains: "Keine.",
};
