import { Page } from "../../parts/page.tsx";
import { useTexts } from "../../texts/texts.tsx";
import { ImportList, StartImport } from "./import-list.tsx";

/** The imports, as the contacts lead to them. */
export default function ImportsScreen() {
  const { imports, contacts } = useTexts();
  return (
    <Page title={imports.all} back={{ href: "/contacts", label: contacts.title }} actions={<StartImport />}>
      <ImportList />
    </Page>
  );
}
