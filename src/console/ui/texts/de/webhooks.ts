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
  tested: "Ein Test ist unterwegs. Die Antwort steht unter Aktivität, Webhooks.",
  remove: "Löschen",
  removeTitle: "Diesen Webhook löschen?",
  removeSays:
    "Was er noch nicht erhalten hat, erhält er nie, und seine Zustellungen werden mit gelöscht. Das lässt sich nicht rückgängig machen: Ein neuer Webhook hat ein anderes Geheimnis.",
  secret: "Geheimnis",
  once: "Ihr Server prüft damit unsere Unterschrift. Kopieren Sie es jetzt: Es wird nie wieder gezeigt.",
  none: "Noch keine Webhooks.",
};
