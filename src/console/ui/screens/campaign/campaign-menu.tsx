import { ActionIcon, Menu, Text } from "@mantine/core";
import { IconDots } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Campaign } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { ConfirmByNumber } from "../../parts/confirm-by-number.tsx";
import { LoadError } from "../../parts/states/load-error.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { stateOf } from "../campaigns/campaign-state.ts";

type Props = { readonly campaign: Pick<Campaign, "id" | "name" | "status" | "stat"> };

/** Actions that are seldom needed: copy, delete. */
export function CampaignMenu({ campaign }: Props) {
  const { campaigns } = useTexts();
  const { id, name } = campaign;
  const state = stateOf(campaign);
  const isOut = state === "SENDING" || state === "SENT";
  const [isDeleting, setDeleting] = useState(false);
  const { duplicate, remove } = useCampaignActions(id);
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={campaigns.more2}>
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
      <ConfirmByNumber
        opened={isDeleting}
        onClose={() => setDeleting(false)}
        title={campaigns.removeTitle}
        answer={name}
        action={campaigns.remove}
        isDangerous
        isBusy={remove.isPending}
        onConfirm={() => remove.mutate()}
      >
        <Text>{isOut ? campaigns.removeSays(name) : campaigns.removeUnsentSays(name)}</Text>
        {remove.error && <LoadError error={remove.error} />}
      </ConfirmByNumber>
    </>
  );
}

function useCampaignActions(id: string) {
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const path = { params: { path: { id } } };
  const duplicate = useMutation({
    mutationFn: () => ok(api.POST("/api/v1/campaigns/{id}/duplicate", path)),
    onSuccess: ({ data }) => {
      void queries.invalidateQueries({ queryKey: ["campaigns"] });
      navigate(`/campaigns/${encodeURIComponent(data.id)}?side=write`);
    },
  });
  const remove = useMutation({
    mutationFn: () => ok(api.DELETE("/api/v1/campaigns/{id}", path)),
    onSuccess: () => {
      void queries.invalidateQueries({ queryKey: ["campaigns"] });
      navigate("/campaigns");
    },
  });
  return { duplicate, remove };
}
