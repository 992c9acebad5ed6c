import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Import } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { sayRefusal } from "../../parts/saving/undo.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** Ends an import before the end of its file. It cannot be continued, so it asks for confirmation. */
export function CancelImport({ one: { id, fileName } }: { readonly one: Import }) {
  const { imports } = useTexts();
  const [isAsking, setAsking] = useState(false);
  const queries = useQueryClient();
  const cancel = useMutation({
    mutationFn: () => ok(api.DELETE("/api/v1/imports/{id}", { params: { path: { id } } })),
    onError: sayRefusal,
    onSettled: () => {
      setAsking(false);
      return queries.invalidateQueries({ queryKey: ["imports"] });
    },
  });
  return (
    <>
      <Button
        size="compact-sm"
        variant="default"
        aria-label={imports.cancelOf(fileName)}
        onClick={() => setAsking(true)}
      >
        {imports.cancel}
      </Button>
      <Confirm
        opened={isAsking}
        onClose={() => setAsking(false)}
        title={imports.cancelAsk}
        name={fileName}
        says={imports.cancelSays}
        keep={imports.keepGoing}
        action={imports.cancelNow}
        isBusy={cancel.isPending}
        onConfirm={() => cancel.mutate()}
      />
    </>
  );
}
