import { createContext, useContext, type ReactNode } from "react";
import { deviceMemory } from "../frame/device-memory.ts";
import type { Texts } from "./en/index.ts";
import { isolating } from "./isolated.ts";

export type Language = "en" | "de";

export const LANGUAGES: readonly { readonly value: Language; readonly label: string }[] = [
  { value: "en", label: "English" },
  { value: "de", label: "Deutsch" },
];

const KEPT_AS = "postrider.language";

/** The language that the person chose on this device; otherwise the one that the browser prefers. */
export function chosenLanguage(): Language {
  const wanted = [deviceMemory.read(KEPT_AS) ?? "", ...navigator.languages];
  const found = wanted.map((name) => name.slice(0, 2)).find((name) => name === "en" || name === "de");
  return found ?? "en";
}

/** Stores the choice on this device, and loads the page again in that language. */
export function chooseLanguage(language: Language): void {
  deviceMemory.keep(KEPT_AS, language);
  location.reload();
}

/** Each language is a separate file, so that nobody loads one that they do not read. */
export async function loadTexts(language: Language): Promise<Texts> {
  const texts = language === "de" ? (await import("./de/index.ts")).de : (await import("./en/index.ts")).en;
  // A sentence of the server is looked up as it came.
  return { ...isolating(texts), fromServer: texts.fromServer };
}

type Spoken = { readonly texts: Texts; readonly language: Language };

const SpokenContext = createContext<Spoken | null>(null);

export function TextsProvider({ texts, language, children }: Spoken & { readonly children: ReactNode }) {
  document.documentElement.lang = language;
  return <SpokenContext value={{ texts, language }}>{children}</SpokenContext>;
}

function useSpoken(): Spoken {
  const spoken = useContext(SpokenContext);
  if (spoken === null) throw new Error("there is no TextsProvider around this");
  return spoken;
}

export const useTexts = (): Texts => useSpoken().texts;

export const useLanguage = (): Language => useSpoken().language;
