import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { Automation, AutomationStatus, AutomationUpdate } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import type { Flow } from "../../flow/flow.ts";

const LIVE_MS = 5_000;
/** Longer, because each answer compiles the flow's letters. */
const PROBLEMS_MS = 30_000;

export const automationKey = (id: string) => ["automations", id] as const;

/** What is known of one automation, without its flow. */
export const useAutomation = (id: string) =>
  useQuery({
    queryKey: automationKey(id),
    queryFn: ({ signal }) => loadAutomation(id, signal),
    refetchInterval: (query) => (query.state.data?.status === "LIVE" ? LIVE_MS : false),
  });

export const loadAutomation = async (id: string, signal: AbortSignal | null) =>
  (await ok(api.GET("/api/v1/automations/{id}", { params: { path: { id } }, signal }))).data;

/** Typed as the console edits it: any JSON of the right shape, every member kept. */
export const loadFlow = async (id: string, signal: AbortSignal | null) =>
  (await ok(api.GET("/api/v1/automations/{id}/flow", { params: { path: { id } }, signal })))
    .data as unknown as Flow;

/** What is wrong with the saved flow, and while it is live also with its mail. */
export const useProblems = (id: string, status: AutomationStatus) =>
  useQuery({
    queryKey: ["automations", id, "problems"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/automations/{id}/problems", { params: { path: { id } }, signal })).then(
        ({ data }) => data,
      ),
    refetchInterval: status === "LIVE" ? PROBLEMS_MS : false,
  });

/** What happened to runs and mails at each node; loaded again and again while the automation is live. */
export const useFigures = (id: string, status: AutomationStatus) =>
  useQuery({
    queryKey: ["automations", id, "stats"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/automations/{id}/stats", { params: { path: { id } }, signal })).then(
        ({ data }) => data,
      ),
    enabled: status !== "DRAFT",
    refetchInterval: status === "LIVE" ? LIVE_MS : false,
  });

type Change = { readonly name?: string; readonly flowJson?: Flow; readonly status?: AutomationStatus };

/** Saves a change of it. */
export async function saveAutomation(id: string, { flowJson, ...change }: Change): Promise<Automation> {
  const body: AutomationUpdate = { ...change };
  // The API's document names the known nodes; a flow may have others, which are saved unchanged.
  if (flowJson !== undefined)
    body.flowJson = flowJson as unknown as NonNullable<AutomationUpdate["flowJson"]>;
  return (await ok(api.PATCH("/api/v1/automations/{id}", { params: { path: { id } }, body }))).data;
}

type Move = { readonly to: AutomationStatus; readonly publishes?: boolean };

/** @param mayStart whether it is saved, and as the person sees it; if `publishes`, it publishes the rest first */
export function useStatusChange(id: string, mayStart: (publishes: boolean) => Promise<boolean>) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ to: status, publishes = false }: Move) => {
      // To pause is to stop: it publishes nothing, and what cannot be published does not keep it from stopping.
      if (status === "PAUSED" || (await mayStart(publishes))) await saveAutomation(id, { status });
    },
    onSettled: () => client.invalidateQueries({ queryKey: ["automations"] }),
  });
}
