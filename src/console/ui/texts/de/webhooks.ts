import type { Texts } from "../en/index.ts";

export const webhooks: Texts["webhooks"] = {
  title: "Webhooks",
  says: "Eigene Server, die erfahren, was geschieht, sobald es geschieht.",
  make: "Neuer Webhook",
  address: "Adresse",
  events: "Ereignisse",
  eventsSay: "Keines gewählt: alle.",
  all: "Alle Ereignisse",
  on: "An",
  actions: "Aktionen",
  test: "Test senden",
  tested: "Ein Test ist unterwegs.",
  remove: "Löschen",
  secret: "Geheimnis",
  once: "Ihr Server prüft damit unsere Unterschrift. Kopieren Sie es jetzt: Es wird nie wieder gezeigt.",
  none: "Noch keine Webhooks.",
};
