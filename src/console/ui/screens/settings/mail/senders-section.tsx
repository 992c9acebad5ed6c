import { useTexts } from "../../../texts/texts.tsx";
import { Fields, Section } from "../parts/section.tsx";
import { MailChecks } from "./mail-checks.tsx";
import { SettingField } from "../parts/setting-field.tsx";

/** Who sends the mail, and the checks of their DNS records. */
export function SendersSection() {
  const { settings } = useTexts();
  return (
    <>
      <Section title={settings.sections.senders} says={settings.says.senders}>
        <Fields>
          <SettingField name="fromName" />
          <SettingField name="fromEmail" placeholder="news@example.com" />
          <SettingField name="replyTo" />
          <SettingField name="senderDomains" kind="lines" placeholder="example.com" />
        </Fields>
      </Section>
      <Section title={settings.checks} says={settings.checksSay}>
        <MailChecks />
      </Section>
    </>
  );
}
