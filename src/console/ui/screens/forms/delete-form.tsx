import type { Form } from "../../api/api.gen.ts";
import { api, ok } from "../../api/client.ts";
import { DeleteByName } from "../../parts/delete-by-name.tsx";
import { useTexts } from "../../texts/texts.tsx";

/** Deleting it stops the form on all sites at once. */
export function DeleteForm({ form: { id, name } }: { readonly form: Form }) {
  const { forms } = useTexts();
  return (
    <DeleteByName
      name={name}
      texts={forms}
      list="forms"
      remove={() => ok(api.DELETE("/api/v1/forms/{id}", { params: { path: { id } } }))}
    />
  );
}
