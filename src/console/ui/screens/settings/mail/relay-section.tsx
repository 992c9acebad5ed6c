import type { Check } from "../../../api/api.gen.ts";
import { useIsCaptured } from "../../../api/settings.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { MailChecks } from "./mail-checks.tsx";
import { RelayByParts } from "./relay-dialog.tsx";
import { Fields, Section } from "../parts/section.tsx";
import { SettingField } from "../parts/setting-field.tsx";
import { TestMessage } from "./test-message.tsx";

const ABOUT_RELAYS = new Set(["relay", "mail", "sending", "mailbox"]);

export const isAboutRelay = ({ id }: Check): boolean => ABOUT_RELAYS.has(id);

/** How mail leaves, whether that works, and where reports about it come back. */
export function RelaySection() {
  const { settings } = useTexts();
  const { may } = useSession();
  const isCaptured = useIsCaptured() ?? false;
  return (
    <>
      <Section title={settings.sections.relay} says={isCaptured ? settings.captured : settings.says.relay}>
        <Fields>
          <SettingField name="smtpUrl" placeholder="smtps://name:password@smtp.example.com:465" />
          <RelayByParts />
        </Fields>
        <MailChecks only={isAboutRelay} />
      </Section>
      {may("editor") && (
        <Section title={settings.test.title} says={settings.test.says}>
          <TestMessage />
        </Section>
      )}
      <Section title={settings.reports} says={settings.reportsSay}>
        <Fields>
          <SettingField name="bounceDomain" placeholder="bounces.example.com" />
          <SettingField name="bounceMailbox" placeholder="imaps://name:password@imap.example.com/INBOX" />
          <SettingField name="inboundComplaints" kind="switch" />
        </Fields>
      </Section>
    </>
  );
}
