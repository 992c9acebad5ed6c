import { ActionIcon, Menu } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Campaign } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { DeleteDialog } from "../../parts/delete-dialog.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { useGoOn } from "../../frame/still-here.ts";
import { useTexts } from "../../texts/texts.tsx";
import { isOut } from "../campaigns/campaign-state.ts";

type Props = { readonly campaign: Pick<Campaign, "id" | "name" | "status" | "stat"> };

/** Actions that are seldom needed: copy, delete. */
export function CampaignMenu({ campaign }: Props) {
  const { campaigns } = useTexts();
  const { id, name } = campaign;
  const [isDeleting, setDeleting] = useState(false);
  const duplicate = useDuplicate(id);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={campaigns.more}>
            <IconDots size={16} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => duplicate.mutate()}>{campaigns.duplicate}</Menu.Item>
          <Menu.Item c="var(--mantine-color-error)" onClick={() => setDeleting(true)}>
            {campaigns.remove}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {duplicate.error && <LoadError error={duplicate.error} />}
      <DeleteDialog
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        name={name}
        title={campaigns.removeTitle}
        says={isOut(campaign) ? campaigns.removeSays(name) : campaigns.removeUnsentSays(name)}
        action={campaigns.remove}
        remove={() => ok(api.DELETE("/api/v1/campaigns/{id}", { params: { path: { id } } }))}
        list="campaigns"
      />
    </>
  );
}

function useDuplicate(id: string) {
  const queries = useQueryClient();
  const goOn = useGoOn();
  return useMutation({
    mutationFn: () => ok(api.POST("/api/v1/campaigns/{id}/duplicate", { params: { path: { id } } })),
    onSuccess: ({ data }) => {
      void queries.invalidateQueries({ queryKey: ["campaigns"] });
      goOn(`/campaigns/${encodeURIComponent(data.id)}?side=write`);
    },
  });
}
