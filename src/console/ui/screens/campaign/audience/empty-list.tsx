import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "wouter";
import { useFormat } from "../../../frame/format.ts";
import { useSession } from "../../../frame/session/session.tsx";
import { LoadError } from "../../../parts/states/load-error.tsx";
import { useTexts } from "../../../texts/texts.tsx";
import { doWithAll } from "../../contacts/many.ts";
import { useSubscribed } from "../../../api/subscribed.ts";

/** Everybody who may get campaigns. */
const SUBSCRIBED = { field: "status", op: "equals", value: "SUBSCRIBED" } as const;

/** For an empty list, such as the first one right after it was made: adds everybody who is subscribed. */
export function EmptyList({ listId }: { readonly listId: string }) {
  const { sending, firstSteps } = useTexts();
  const { quantity } = useFormat();
  const queries = useQueryClient();
  const { workspace } = useSession();
  const subscribed = useSubscribed();
  const filling = useMutation({
    mutationFn: () =>
      doWithAll({
        workspaceId: workspace.id,
        chosen: { rules: SUBSCRIBED },
        action: { action: "addToList", listId },
      }),
    onSettled: () => queries.invalidateQueries(),
  });
  const count = subscribed.data;
  if (count === undefined) return null;
  return (
    <div className="audience-empty">
      <p>
        {sending.emptyList}
        {count > 0 && ` ${sending.subscribed(quantity(count))}`}
      </p>
      {count === 0 ? (
        <Button size="xs" variant="default" component={Link} href="/contacts">
          {firstSteps.toContacts}
        </Button>
      ) : (
        <Button size="xs" variant="default" loading={filling.isPending} onClick={() => filling.mutate()}>
          {sending.fillList}
        </Button>
      )}
      {filling.error && <LoadError error={filling.error} />}
    </div>
  );
}
