import { Tabs } from "@mantine/core";
import type { ComponentType } from "react";
import { useLocation } from "wouter";
import { useAddress } from "../../frame/use-address.ts";
import { useInSight } from "../../parts/lists/in-sight.ts";
import { Page } from "../../parts/page.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { ImportList, StartImport } from "../imports/import-list.tsx";
import { AuditTab } from "./audit-tab.tsx";
import { BouncesTab } from "./bounces-tab.tsx";
import { MessagesTab } from "./messages-tab.tsx";
import { WebhooksTab } from "./webhooks/webhooks-tab.tsx";

const ImportsTab = () => <ImportList action={<StartImport />} />;

const DEFAULTS = { tab: "messages" };

const TABS = [
  ["messages", MessagesTab],
  ["webhooks", WebhooksTab],
  ["bounces", BouncesTab],
  ["imports", ImportsTab],
  ["audit", AuditTab],
] as const satisfies readonly (readonly [string, ComponentType])[];

/** What the service did, the answers and reports to it, and who did what. */
export default function ActivityScreen() {
  const { activity } = useTexts();
  const [{ tab }] = useAddress(DEFAULTS);
  const [, navigate] = useLocation();
  const [shown] = TABS.find(([name]) => name === tab) ?? TABS[0];
  useInSight(".activity-tabs [data-active]", shown);
  return (
    <Page title={activity.title} says={activity.says}>
      {/* Another tab has other filters: they begin anew, and back leads to those of before. */}
      <Tabs value={shown} keepMounted={false} onChange={(next) => navigate(`/activity?tab=${next}`)}>
        <Tabs.List className="activity-tabs" mb="lg">
          {TABS.map(([name]) => (
            <Tabs.Tab key={name} value={name}>
              {activity.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {TABS.map(([name, Content]) => (
          <Tabs.Panel key={name} value={name}>
            <Content />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Page>
  );
}
