import { useTexts } from "../../../texts/texts.tsx";
import { DomainLimitsField } from "./domain-limits-field.tsx";
import { QuietHoursField } from "./quiet-hours-field.tsx";
import { Fields, Section } from "../parts/section.tsx";
import { WarmUpField } from "./warm-up-field.tsx";
import { SettingField } from "../parts/setting-field.tsx";

/** When mail goes out, how much, and what stops it. */
export function LimitsSection() {
  const { settings } = useTexts();
  return (
    <Section title={settings.sections.limits} says={settings.says.limits}>
      <Fields>
        <SettingField name="sending" kind="switch" />
        <SettingField name="autoPause" kind="switch" />
        <QuietHoursField />
        <SettingField name="dailyCap" kind="number" />
        <DomainLimitsField />
        <WarmUpField />
      </Fields>
    </Section>
  );
}
