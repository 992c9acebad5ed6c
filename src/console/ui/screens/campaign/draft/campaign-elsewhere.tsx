import { Alert, Box, Button, Group } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Elsewhere } from "../../../parts/saving/elsewhere.tsx";
import { LoadError } from "../../../parts/states/load-error.tsx";
import { useGoOn } from "../../../frame/still-here.ts";
import { useTexts } from "../../../texts/texts.tsx";
import type { Draft } from "./draft-fields.ts";
import { saveAsNew } from "./draft.ts";
import type { CampaignDraft } from "./use-draft.ts";

type Props = {
  readonly draft: Draft;
  readonly shared: CampaignDraft;
  /** Whether the campaign no longer exists. */
  readonly isGone: boolean;
};

/** What happened to the campaign elsewhere while it was edited here. Neither version is lost. */
export function CampaignElsewhere({ draft, shared, isGone }: Props) {
  const { sending } = useTexts();
  const queries = useQueryClient();
  const goOn = useGoOn();
  const copying = useMutation({
    mutationFn: () => saveAsNew({ ...draft, name: draft.name.trim() === "" ? draft.subject : draft.name }),
    onSuccess: (id) => {
      // Nothing of it is left to save here.
      shared.discard();
      void queries.invalidateQueries({ queryKey: ["campaigns"] });
      goOn(`/campaigns/${encodeURIComponent(id)}`, { replace: true });
    },
  });
  const asNew = (
    <Button size="xs" variant="default" loading={copying.isPending} onClick={() => copying.mutate()}>
      {sending.keepAsNew}
    </Button>
  );
  return (
    <>
      {isGone ? (
        <Alert color="yellow" role="alert" mb="md" title={sending.deleted}>
          <p className="load-error-says">{sending.deletedSays}</p>
          <Group>{asNew}</Group>
        </Alert>
      ) : (
        <Elsewhere shared={shared} names={sending.fields}>
          {asNew}
        </Elsewhere>
      )}
      {copying.error && (
        <Box mb="md">
          <LoadError error={copying.error} />
        </Box>
      )}
    </>
  );
}
