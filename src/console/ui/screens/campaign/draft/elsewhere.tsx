import { Alert, Button, Group } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "wouter";
import { LoadError } from "../../../parts/states/load-error.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { Clash } from "./clash.ts";
import type { Draft } from "./draft-fields.ts";
import { saveAsNew } from "./draft.ts";
import type { useDraft } from "./use-draft.ts";

type Props = {
  readonly draft: Draft;
  /** Why it could not be saved. */
  readonly error: Error | null;
  /** Whether the campaign no longer exists. */
  readonly isGone: boolean;
  readonly settle: ReturnType<typeof useDraft>["settle"];
};

/** What happened to the campaign elsewhere while it was edited here. Neither version is lost. */
export function Elsewhere({ draft, error, isGone, settle }: Props) {
  const { sending } = useTexts();
  const queries = useQueryClient();
  const [, navigate] = useLocation();
  const copying = useMutation({
    mutationFn: () => saveAsNew({ ...draft, name: draft.name.trim() === "" ? draft.subject : draft.name }),
    onSuccess: (id) => {
      settle.done();
      void queries.invalidateQueries({ queryKey: ["campaigns"] });
      navigate(`/campaigns/${encodeURIComponent(id)}`, { replace: true });
    },
  });
  const clash = error instanceof Clash ? error : null;
  if (clash === null && !isGone) return null;
  return (
    <Alert
      color="yellow"
      role="alert"
      mb="md"
      title={
        clash === null
          ? sending.deleted
          : sending.clashTitle(clash.fields.map((field) => sending.fields[field]).join(", "))
      }
    >
      <p className="load-error-says">{clash === null ? sending.deletedSays : sending.clashSays}</p>
      <Group gap="xs">
        {clash !== null && (
          <>
            <Button size="xs" variant="default" onClick={() => settle.theirs(clash)}>
              {sending.takeTheirs}
            </Button>
            <Button size="xs" variant="default" onClick={() => settle.mine(clash)}>
              {sending.keepMine}
            </Button>
          </>
        )}
        <Button size="xs" variant="default" loading={copying.isPending} onClick={() => copying.mutate()}>
          {sending.keepAsNew}
        </Button>
      </Group>
      {copying.error && <LoadError error={copying.error} />}
    </Alert>
  );
}
