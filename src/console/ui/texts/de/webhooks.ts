import type { Texts } from "../en/index.ts";

export const webhooks: Texts["webhooks"] = {
  title: "Webhooks",
  says: "Ihre Server erfahren, was geschieht, sobald es geschieht.",
  make: "Neuer Webhook",
  address: "Adresse",
  events: "Ereignisse",
  eventsSay: "Keines gewählt: alle.",
  all: "Alle Ereignisse",
  on: "Ein",
  actions: "Aktionen",
  test: "Test senden",
  tested: "Ein Test ist unterwegs.",
  remove: "Löschen",
  secret: "Geheimnis",
  once: "Ihr Server prüft damit unsere Unterschrift. Kopieren Sie es jetzt: Es wird nie wieder gezeigt.",
  none: "Noch keine Webhooks.",
};
