import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation } from "wouter";
import type { Form } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { ConfirmByNumber } from "../../parts/confirm-by-number.tsx";
import { LoadError } from "../../parts/load-error.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** Asks for the form's name: where it stands on sites, it stops working at once. */
export function DeleteForm({ form }: { readonly form: Form }) {
  const { forms } = useTexts();
  const [isOpen, setOpen] = useState(false);
  const [, navigate] = useLocation();
  const queries = useQueryClient();
  const deleting = useMutation({
    mutationFn: () => ok(api.DELETE("/api/v1/forms/{id}", { params: { path: { id: form.id } } })),
    onSuccess: async () => {
      navigate("/forms");
      await queries.invalidateQueries({ queryKey: ["forms"] });
    },
  });
  return (
    <div>
      <Button variant="subtle" c="var(--mantine-color-error)" onClick={() => setOpen(true)}>
        {forms.delete}
      </Button>
      <ConfirmByNumber
        opened={isOpen}
        onClose={() => setOpen(false)}
        title={forms.deleteTitle(form.name)}
        answer={form.name}
        action={forms.delete}
        isDangerous
        isBusy={deleting.isPending}
        onConfirm={() => deleting.mutate()}
      >
        {forms.deleteSays}
        {deleting.error && <LoadError error={deleting.error} />}
      </ConfirmByNumber>
    </div>
  );
}
