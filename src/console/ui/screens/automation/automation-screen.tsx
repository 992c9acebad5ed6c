import { useParams } from "wouter";
import { LoadError } from "../../parts/states/load-error.tsx";
import { Loading } from "../../parts/states/loading.tsx";
import { Workbench } from "./workbench.tsx";
import { useAutomation } from "./use-automation.ts";

/** One automation: its flow, the people in it, and what would happen to somebody. */
export default function AutomationScreen() {
  const { id } = useParams<{ id: string }>();
  const { automation, flow } = useAutomation(id);
  const error = automation.error ?? flow.error;
  if (error && (automation.data === undefined || flow.data === undefined))
    return (
      <LoadError
        error={error}
        retry={() => {
          void automation.refetch();
          void flow.refetch();
        }}
      />
    );
  if (automation.data === undefined || flow.data === undefined) return <Loading />;
  return <Workbench key={id} automation={automation.data} stored={flow.data} />;
}
