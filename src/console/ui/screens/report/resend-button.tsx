import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Campaign } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { LoadError } from "../../parts/states/load-error.tsx";
import { useGoOn } from "../../frame/still-here.ts";
import { unmarked } from "../../texts/isolated.ts";
import { useTexts } from "../../texts/texts.tsx";

const NAME_CHARACTERS_MAX = 200;

/** Makes a segment of people who got it and did not open it, and a copy of the campaign for them. Nothing is sent. */
export function ResendButton({ campaign }: { readonly campaign: Campaign }) {
  const { report } = useTexts();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const resend = useMutation({
    mutationFn: async () => {
      const says = unmarked(report.resendSays(campaign.name));
      const name = Array.from(says).slice(0, NAME_CHARACTERS_MAX).join("");
      const segment = await ok(
        api.POST("/api/v1/segments", {
          body: {
            name,
            rules: {
              all: [
                { field: "received", op: "equals", value: campaign.id },
                { field: "opened", op: "notEquals", value: campaign.id },
              ],
            },
          },
        }),
      );
      const copy = await ok(
        api.POST("/api/v1/campaigns/{id}/duplicate", { params: { path: { id: campaign.id } } }),
      );
      const path = { params: { path: { id: copy.data.id } } };
      await ok(
        api.PATCH("/api/v1/campaigns/{id}/options", { ...path, body: { segmentId: segment.data.id } }),
      );
      await ok(api.PATCH("/api/v1/campaigns/{id}", { ...path, body: { name } }));
      return copy.data.id;
    },
    onSuccess: (id) => {
      void queries.invalidateQueries({ queryKey: ["campaigns"] });
      void queries.invalidateQueries({ queryKey: ["segments"] });
      goOn(`/campaigns/${encodeURIComponent(id)}`);
    },
  });
  return (
    <>
      <Button variant="default" loading={resend.isPending} onClick={() => resend.mutate()}>
        {report.resend}
      </Button>
      {resend.error && <LoadError error={resend.error} />}
    </>
  );
}
