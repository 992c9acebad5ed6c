import { useParams } from "wouter";
import type { Automation } from "../../api/api.gen.ts";
import { NotYet } from "../../parts/states/not-yet.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { Workbench } from "./workbench.tsx";
import { useAutomation } from "./use-automation.ts";
import { useAutomationDraft } from "./use-flow-draft.ts";

/** One automation: its flow, the people in it, and what would happen to somebody. */
export default function AutomationScreen() {
  const { id } = useParams<{ id: string }>();
  const { automations: texts } = useTexts();
  const { data, error, refetch } = useAutomation(id);
  if (data === undefined) return <NotYet title={texts.title} error={error} retry={() => void refetch()} />;
  return <OneAutomation key={id} automation={data} />;
}

function OneAutomation({ automation }: { readonly automation: Automation }) {
  const { automations: texts } = useTexts();
  const shared = useAutomationDraft(automation);
  const { draft, saved } = shared;
  if (draft === null || saved === undefined) return <NotYet title={texts.title} {...shared} />;
  return <Workbench automation={automation} shared={shared} content={draft} stored={saved.flowJson} />;
}
