import { useSession } from "../../../frame/session/session.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { ChangePassword } from "./change-password.tsx";
import { CodesOfApp } from "./codes-of-app.tsx";
import { PasskeySection } from "./passkey-section.tsx";
import { Section } from "../parts/section.tsx";
import { SessionList } from "./session-list.tsx";

/** The person's own account: it is the same in every workspace. */
export function AccountSection() {
  const { account } = useTexts();
  const { user } = useSession();
  return (
    <>
      <Section title={account.sessions} says={account.sessionsSay(user.email)}>
        <SessionList />
      </Section>
      <Section title={account.password} says={account.passwordSays}>
        <ChangePassword />
      </Section>
      <PasskeySection />
      <Section title={account.codes} says={user.totp ? account.codesOn : account.codesOff}>
        <CodesOfApp />
      </Section>
    </>
  );
}
