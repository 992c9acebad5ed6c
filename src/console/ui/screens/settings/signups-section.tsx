import { useTexts } from "../../texts/texts.tsx";
import { Fields, Section } from "./parts/section.tsx";
import { SettingField } from "./parts/setting-field.tsx";

/** How people join, and what is counted of what they do. */
export function SignupsSection() {
  const { settings } = useTexts();
  return (
    <Section title={settings.sections.signups} says={settings.says.signups}>
      <Fields>
        <SettingField name="doubleOptIn" kind="switch" />
        <SettingField name="allowedOrigins" kind="lines" placeholder="https://example.com" />
        <SettingField name="trackOpens" kind="switch" />
        <SettingField name="trackClicks" kind="switch" />
      </Fields>
    </Section>
  );
}
