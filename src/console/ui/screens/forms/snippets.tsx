import { Stack, Title } from "@mantine/core";
import type { Form } from "../../api/api.gen.ts";
import { CopyLine } from "../../parts/copies/copy-line.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { snippetsOf } from "./snippet-texts.ts";

/** Shows code to copy that puts the form on a site. */
export function Snippets({ form }: { readonly form: Form }) {
  const { forms, contacts } = useTexts();
  const own = form.style.buttonText;
  const snippets = snippetsOf(form, {
    button: typeof own === "string" && own.trim() !== "" ? own : forms.defaultButton,
    labelOf: (name) =>
      name === "email" || name === "firstName" || name === "lastName" ? contacts[name] : name,
  });
  return (
    <section aria-labelledby="snippets">
      <Title order={2} id="snippets" mb="xs">
        {forms.snippets}
      </Title>
      <Stack gap="sm">
        {(["embed", "page", "html"] as const).map((each) => (
          <div key={each}>
            <span className="forms-label">{forms[each]}</span>
            <CopyLine text={snippets[each]} label={forms[each]} />
          </div>
        ))}
      </Stack>
    </section>
  );
}
