import type { FormContent } from "#forms/form-input.ts";

/** Whether two forms are the same for readers. */
export function isSameForm(a: FormContent, b: FormContent): boolean {
  const written = ({ name, listId, fields, style, successMessage }: FormContent) =>
    JSON.stringify([name, listId, fields, style, successMessage]);
  return written(a) === written(b);
}
