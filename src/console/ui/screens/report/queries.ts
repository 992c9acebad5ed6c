import { useQuery } from "@tanstack/react-query";
import type { CampaignReport, Delivery, DeliveryState } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { usePages } from "../../api/pages.ts";
import { keepCsv } from "../../parts/copies/keep-file.ts";

const LIVE_MS = 1_000;
const AFTER_MS = 30_000;

export const isUnderWay = ({ startedAt, finishedAt }: CampaignReport): boolean =>
  startedAt !== null && finishedAt === null;

const path = (id: string) => ({ params: { path: { id } } });

/** Loaded every second while it goes out; after that less often, as people open it. */
export const useReport = (id: string) =>
  useQuery({
    queryKey: ["campaign", id, "report"],
    queryFn: ({ signal }) =>
      ok(
        api.GET("/api/v1/campaigns/{id}/report", {
          params: { path: { id }, query: { include: "reasons,paused" } },
          signal,
        }),
      ).then(({ data }) => data),
    refetchInterval: ({ state }) => (state.data?.finishedAt ? AFTER_MS : LIVE_MS),
  });

export const useTimeline = (id: string, step: "hour" | "day") =>
  useQuery({
    queryKey: ["campaign", id, "timeline", step],
    queryFn: ({ signal }) =>
      ok(
        api.GET("/api/v1/campaigns/{id}/timeline", { params: { path: { id }, query: { step } }, signal }),
      ).then(({ data }) => data),
    refetchInterval: AFTER_MS,
  });

export const useLinks = (id: string) =>
  useQuery({
    queryKey: ["campaign", id, "links"],
    queryFn: ({ signal }) =>
      ok(api.GET("/api/v1/campaigns/{id}/links", { ...path(id), signal })).then(({ data }) => data),
    refetchInterval: AFTER_MS,
  });

const COMPARED = 10;

/** The last ten campaigns that were sent before this one, for the usual shares. */
export const useUsual = (id: string) =>
  useQuery({
    queryKey: ["campaigns", "usual"],
    queryFn: ({ signal }) =>
      ok(
        api.GET("/api/v1/campaigns", {
          params: { query: { status: "SENT", limit: COMPARED + 1, include: "delivered" } },
          signal,
        }),
      ).then(({ data }) => data),
    select: (sent) =>
      sent
        .filter((one) => one.id !== id)
        .flatMap(({ stat }) => stat ?? [])
        .slice(0, COMPARED),
  });

/** Which recipients are shown. */
export type DeliveryFilter = {
  readonly state: DeliveryState | null;
  readonly reason: string;
  readonly email: string;
};

const queryOf = ({ state, reason, email }: DeliveryFilter) => ({
  ...(state === null ? {} : { state }),
  ...(reason === "" ? {} : { reason }),
  ...(email === "" ? {} : { email }),
});

/** Lets the browser save them as a CSV file. */
export async function exportDeliveries(id: string, filter: DeliveryFilter): Promise<void> {
  const params = { path: { id }, query: queryOf(filter) };
  keepCsv(
    await ok(api.GET("/api/v1/exports/campaigns/{id}/deliveries", { params, parseAs: "blob" })),
    "deliveries.csv",
  );
}

export const useDeliveries = (id: string, filter: DeliveryFilter) =>
  usePages<Delivery>(["campaign", id, "deliveries", filter], ({ query: place, signal }) => {
    const query = { ...place, ...queryOf(filter), limit: 50 };
    return ok(api.GET("/api/v1/campaigns/{id}/deliveries", { params: { path: { id }, query }, signal }));
  });
