import { Button } from "@mantine/core";
import { useChangeSettings, useSettings } from "../../api/settings.ts";
import { useLocale } from "../../frame/format.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { LANGUAGE_OPTIONS } from "../settings/options.ts";
import { useSaved } from "../settings/parts/saved.tsx";

/** The values of a new workspace. */
const AS_IT_CAME = { timezone: "UTC", language: "en" };

/** Offers the time zone and the language of this browser to a workspace that has none of its own yet. */
export function FromBrowser() {
  const { firstSteps } = useTexts();
  const locale = useLocale();
  const { data } = useSettings();
  const { mutate, error } = useChangeSettings(useSaved());
  if (data === undefined) return null;
  const proposed = differences(data);
  if (Object.keys(proposed).length === 0) return null;
  const nameOf = (language: string): string =>
    new Intl.DisplayNames(locale, { type: "language" }).of(language) ?? language;
  const { timezone, language } = proposed;
  const named = [...(timezone ? [timezone] : []), ...(language ? [nameOf(language)] : [])];
  return (
    <div className="first-steps-offer">
      <p>{firstSteps.asItCame(data.timezone, nameOf(data.language))}</p>
      <Button variant="default" size="compact-sm" onClick={() => mutate(proposed)}>
        {firstSteps.take(new Intl.ListFormat(locale).format(named))}
      </Button>
      {error && <LoadError error={error} />}
    </div>
  );
}

type Proposed = { timezone?: string; language?: string };

function differences(settings: { readonly timezone: string; readonly language: string }): Proposed {
  const timezone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const language = LANGUAGE_OPTIONS.find(({ value }) => navigator.language.startsWith(value))?.value;
  const { timezone: zoneAsItCame, language: languageAsItCame } = AS_IT_CAME;
  return {
    ...(settings.timezone === zoneAsItCame && timezone !== zoneAsItCame && { timezone }),
    ...(settings.language === languageAsItCame && language && language !== languageAsItCame && { language }),
  };
}
