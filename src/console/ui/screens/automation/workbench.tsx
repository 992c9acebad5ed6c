import { Alert, SegmentedControl, Tabs } from "@mantine/core";
import { useMemo, useState } from "react";
import type { Automation, Simulation } from "../../api/api.gen.ts";
import { useZone } from "../../api/settings.ts";
import type { UsedDraft } from "../../autosave/use-shared-draft.ts";
import { useChoices, useNameOf } from "../../audience/choices.ts";
import { useMoreLists } from "../../audience/more-lists.ts";
import type { Flow } from "../../flow/flow.ts";
import { listIdsIn, mailSubjectIn } from "../../flow/node-words.ts";
import { useFormat } from "../../frame/format.ts";
import { useSession } from "../../frame/session/session.tsx";
import { useAddress } from "../../frame/use-address.ts";
import { Page } from "../../parts/page.tsx";
import { Elsewhere } from "../../parts/saving/elsewhere.tsx";
import { SaveState } from "../../parts/saving/save-state.tsx";
import { StatusWord } from "../../parts/status-word.tsx";
import { ViewOnly } from "../../parts/states/view-only.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { EditorContext, type Editor } from "./editor.tsx";
import { AutomationStateWord } from "../automations/automation-state-word.tsx";
import { FlowTab } from "./flow-tab.tsx";
import { PeopleTab } from "./people-tab.tsx";
import { StateActions } from "./state-actions.tsx";
import { useFigures, useProblems } from "./use-automation.ts";
import { useFlowDraft, type Content, type FlowDraft } from "./use-flow-draft.ts";

type Props = {
  readonly automation: Automation;
  readonly shared: UsedDraft<Content>;
  readonly content: Content;
  readonly stored: Flow;
};

const DEFAULTS = { tab: "flow", view: "canvas", step: "" };

export function Workbench({ automation, shared, content, stored }: Props) {
  const { automations: texts } = useTexts();
  const draft = useFlowDraft(shared, content, stored);
  const [{ tab, view }, setAddress] = useAddress(DEFAULTS);
  const [simulated, setSimulated] = useState<Simulation | null>(null);
  const editor = useEditorOf(automation, draft, tab === "simulate" ? simulated : null);
  return (
    <EditorContext value={editor}>
      <Page
        wide
        title={draft.name}
        back={{ href: "/automations", label: texts.title }}
        beside={<Standing automation={automation} draft={draft} />}
        actions={
          editor.canEdit && (
            <StateActions automation={automation} draft={draft} problems={editor.problems.length} />
          )
        }
      >
        <ViewOnly />
        <Elsewhere shared={shared} names={{ name: texts.name, flowJson: texts.tabs.flow }} />
        <Notices automation={automation} />
        <div className="automation-bar">
          <Tabs value={tab} onChange={(next) => setAddress({ tab: next ?? "flow" })}>
            <Tabs.List>
              <Tabs.Tab value="flow">{texts.tabs.flow}</Tabs.Tab>
              <Tabs.Tab value="simulate">{texts.tabs.simulate}</Tabs.Tab>
              <Tabs.Tab value="people">{texts.tabs.people}</Tabs.Tab>
            </Tabs.List>
          </Tabs>
          {tab !== "people" && (
            <SegmentedControl
              aria-label={texts.view}
              data={[
                { value: "canvas", label: texts.views.canvas },
                { value: "list", label: texts.views.list },
              ]}
              value={view}
              onChange={(next) => setAddress({ view: next })}
            />
          )}
        </div>
        {tab === "people" ? (
          <PeopleTab />
        ) : (
          <FlowTab
            draft={draft}
            isList={view === "list"}
            isSimulating={tab === "simulate"}
            onResult={setSimulated}
          />
        )}
      </Page>
    </EditorContext>
  );
}

/** Everything that the parts of the editor see. */
function useEditorOf(automation: Automation, draft: FlowDraft, simulated: Simulation | null): Editor {
  const { automations: texts } = useTexts();
  const zone = useZone();
  const { quantity, dateTime } = useFormat(zone);
  const { may } = useSession();
  const [{ step: chosen }, setAddress] = useAddress(DEFAULTS);
  const problems = useProblems(automation.id, automation.status).data ?? [];
  const stats = useFigures(automation.id, automation.status).data;
  const loaded = useChoices("list");
  const lists = [...loaded, ...useMoreLists(loaded, { chosen: listIdsIn(draft.flow), typed: "" })];
  const listName = useNameOf("list");
  const figures = useMemo(() => new Map(stats?.map((each) => [each.nodeId, each])), [stats]);
  return {
    automationId: automation.id,
    flow: draft.flow,
    change: draft.change,
    canEdit: may("editor"),
    chosen,
    choose: (step) => setAddress({ step }),
    wording: {
      texts,
      quantity,
      dateTime,
      listName: (id) => lists.find((list) => list.id === id)?.name ?? listName(id),
      mailSubject: (id) => mailSubjectIn(draft.flow, id),
    },
    zone,
    lists,
    problems,
    figures,
    simulated,
  };
}

function Standing({ automation, draft }: { readonly automation: Automation; readonly draft: FlowDraft }) {
  const { automations: texts } = useTexts();
  return (
    <>
      <AutomationStateWord status={automation.status} />
      <SaveState {...draft.saving} />
      {draft.isUnpublished && <StatusWord tone="look">{texts.unpublished}</StatusWord>}
    </>
  );
}

function Notices({ automation: { status } }: Pick<Props, "automation">) {
  const { automations: texts } = useTexts();
  const mayEdit = useSession().may("editor");
  if (status === "DRAFT" || (status === "LIVE" && !mayEdit)) return null;
  return (
    <Alert color={status === "LIVE" ? "blue" : "yellow"} variant="light" mb="md" p="xs">
      {status === "LIVE" ? texts.liveEdit : texts.pauseSays}
    </Alert>
  );
}
