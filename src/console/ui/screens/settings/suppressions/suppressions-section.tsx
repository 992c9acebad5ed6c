import { useTexts } from "../../../texts/texts.tsx";
import { BlockedDomains } from "./blocked-domains.tsx";
import { Section } from "../parts/section.tsx";
import { SuppressedAddresses } from "./suppressed-addresses.tsx";

/** Addresses that are never mailed, whatever else is known about them. */
export function SuppressionsSection() {
  const { suppressions } = useTexts();
  return (
    <>
      <Section title={suppressions.title} says={suppressions.says}>
        <SuppressedAddresses />
      </Section>
      <Section title={suppressions.domains} says={suppressions.domainsSay}>
        <BlockedDomains />
      </Section>
    </>
  );
}
