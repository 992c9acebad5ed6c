import type { Texts } from "../en/index.ts";

export const keys: Texts["keys"] = {
  title: "API-Schlüssel",
  says: "Für Programme. Geben Sie jedem einen eigenen, damit Sie ihn einzeln widerrufen können.",
  make: "Neuer Schlüssel",
  name: "Name",
  nameSays: "Welches Programm ihn nutzt.",
  unnamed: "Ohne Namen",
  key: "Schlüssel",
  scope: "Darf",
  scopes: {
    full: { label: "Alles", says: "Liest und ändert auch Kontakte, Einstellungen und Schlüssel." },
    send: { label: "Senden und melden", says: "Einzelne Nachrichten und Ereignisse, sonst nichts." },
    read: { label: "Lesen", says: "Alles, ändert aber nichts." },
  },
  lastUsed: "Zuletzt benutzt",
  never: "Nie",
  actions: "Aktionen",
  revoke: "Widerrufen",
  revoked: "Widerrufen",
  revokeTitle: "Diesen Schlüssel widerrufen",
  revokeSays:
    "Programme, die ihn nutzen, werden ab jetzt abgewiesen. Das lässt sich nicht rückgängig machen.",
  once: "Kopieren Sie ihn jetzt: Er wird nie wieder gezeigt.",
  done: "Ich habe ihn kopiert",
  none: "Noch keine Schlüssel.",
};
