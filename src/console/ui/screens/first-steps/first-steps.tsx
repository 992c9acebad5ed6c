import { Button, Group, UnstyledButton } from "@mantine/core";
import { IconCheck, IconClockPause } from "@tabler/icons-react";
import { useState, type ReactNode } from "react";
import { Link } from "wouter";
import type { Role } from "../../api/session.ts";
import { useIsCaptured } from "../../api/settings.ts";
import { useSession } from "../../frame/session/session.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { MailChecks } from "../settings/mail/mail-checks.tsx";
import { Fields } from "../settings/parts/section.tsx";
import { SettingField } from "../settings/parts/setting-field.tsx";
import { RelayByParts } from "../settings/mail/relay-dialog.tsx";
import { isAboutRelay } from "../settings/mail/relay-section.tsx";
import { TestMessage } from "../settings/mail/test-message.tsx";
import { Identity } from "./identity.tsx";
import { NextStep, type GoOn } from "./next-step.tsx";
import { isAboutDns, stepAfter, STEPS, type Progress, type Step } from "./use-steps.ts";

type Content = (props: { readonly isDone: boolean; readonly goOn: GoOn | null }) => ReactNode;

const CONTENT: Readonly<Record<Step, Content>> = {
  identity: Identity,
  relay: Relay,
  dns: Dns,
  contacts: FirstContacts,
  campaign: FirstCampaign,
};

/** The least role that can do a step. The records of a domain are published elsewhere, by the person who manages it. */
const DONE_BY: Readonly<Record<Step, Role>> = {
  identity: "owner",
  relay: "owner",
  dns: "viewer",
  contacts: "editor",
  campaign: "editor",
};

/**
 * The way to the first campaign: finished steps have a mark, and the next step is open. A step stays open until its
 * reader continues: if it closed as soon as its last field was left, the next click would hit something else.
 */
export function FirstSteps({ progress }: { readonly progress: Progress }) {
  const { firstSteps } = useTexts();
  const [chosen, setOpen] = useState<Step | null>();
  const open = chosen === undefined ? stepAfter(null, progress) : chosen;
  return (
    <ol className="first-steps">
      {STEPS.map((step, at) => {
        const Content = CONTENT[step];
        const isOpen = step === open;
        const state = progress[step];
        const following = stepAfter(step, progress);
        return (
          <li
            key={step}
            data-done={state === "done" || undefined}
            data-later={state === "later" || undefined}
            data-open={isOpen || undefined}
          >
            <UnstyledButton
              className="first-steps-head"
              aria-expanded={isOpen}
              onClick={() => setOpen(isOpen ? null : step)}
            >
              <span className="first-steps-mark">
                <Mark state={state} number={at + 1} />
              </span>
              <span>
                <span className="first-steps-title">{firstSteps.steps[step].title}</span>
                <span className="first-steps-says">
                  {state === "later" ? firstSteps.laterSays : firstSteps.steps[step].says}
                </span>
                {state === "open" && <WhoDoesIt step={step} />}
              </span>
            </UnstyledButton>
            {isOpen && (
              <div className="first-steps-content" onFocus={() => setOpen(step)}>
                <Content
                  isDone={state === "done"}
                  goOn={
                    following === null
                      ? null
                      : { to: firstSteps.steps[following].title, go: () => setOpen(following) }
                  }
                />
              </div>
            )}
          </li>
        );
      })}
    </ol>
  );
}

function Mark({ state, number }: { readonly state: Progress[Step]; readonly number: number }) {
  const { firstSteps } = useTexts();
  if (state === "done") return <IconCheck size={18} stroke={2.4} aria-label={firstSteps.done} />;
  if (state === "later") return <IconClockPause size={18} aria-label={firstSteps.later} />;
  return number;
}

/** For people whose role does not allow a step: who can do it. */
function WhoDoesIt({ step }: { readonly step: Step }) {
  const { firstSteps, frame } = useTexts();
  const { may, workspace } = useSession();
  const role = DONE_BY[step];
  if (role === "viewer" || may(role)) return null;
  return <span className="first-steps-says">{firstSteps.doneBy[role](frame.roles[workspace.role])}</span>;
}

function Relay({ goOn }: { readonly goOn: GoOn | null }) {
  const { settings } = useTexts();
  const { may } = useSession();
  const isCaptured = useIsCaptured() ?? false;
  return (
    <>
      {isCaptured && <p>{settings.captured}</p>}
      <Fields>
        <SettingField name="smtpUrl" placeholder="smtps://name:password@smtp.example.com:465" />
        <RelayByParts />
      </Fields>
      {!isCaptured && <MailChecks only={isAboutRelay} />}
      {may("editor") && <TestMessage />}
      <NextStep goOn={goOn} />
    </>
  );
}

function Dns({ goOn }: { readonly goOn: GoOn | null }) {
  const { firstSteps, settings } = useTexts();
  const isCaptured = useIsCaptured() ?? false;
  return (
    <>
      <p>{isCaptured ? firstSteps.noDns : settings.checksSay}</p>
      {!isCaptured && <MailChecks only={isAboutDns} />}
      <NextStep goOn={goOn} />
    </>
  );
}

function FirstContacts() {
  const { firstSteps, contacts } = useTexts();
  const { may } = useSession();
  return (
    <Group gap="xs">
      {may("editor") && (
        <Button component={Link} href="/imports/new">
          {contacts.import}
        </Button>
      )}
      <Button component={Link} href="/contacts" variant="default">
        {firstSteps.toContacts}
      </Button>
    </Group>
  );
}

function FirstCampaign() {
  const { firstSteps, campaigns } = useTexts();
  if (useSession().may("editor"))
    return (
      <Button component={Link} href="/campaigns/new">
        {campaigns.new}
      </Button>
    );
  return (
    <Button component={Link} href="/campaigns" variant="default">
      {firstSteps.toCampaigns}
    </Button>
  );
}
