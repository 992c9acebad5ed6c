import { useTexts } from "../../texts/texts.tsx";
import { LANGUAGE_OPTIONS, TIME_ZONES } from "./options.ts";
import { Fields, Section } from "./parts/section.tsx";
import { SettingField } from "./parts/setting-field.tsx";

/** The workspace as its readers see it. */
export function WorkspaceSection() {
  const { settings } = useTexts();
  return (
    <Section title={settings.sections.workspace} says={settings.says.workspace}>
      <Fields>
        <SettingField name="name" />
        <SettingField name="mailingAddress" kind="text" />
        <SettingField name="timezone" options={TIME_ZONES} />
        <SettingField name="language" options={LANGUAGE_OPTIONS} />
        <SettingField name="brandColor" kind="colour" placeholder="#0b6a73" />
        <SettingField name="logoUrl" placeholder="https://example.com/logo.png" />
      </Fields>
    </Section>
  );
}
