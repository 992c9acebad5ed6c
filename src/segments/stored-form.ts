import { storedAddressPiece, storedDomainPiece } from "#core/addresses/email-address.ts";
import type { TextField, ValueTest } from "./rule.ts";

/**
 * A test as it is compared with what is stored. Addresses are stored in ASCII (`xn--bcher-kva.example`), and people
 * write `bücher.example`: without this, `equals` would fit nobody, and `notEquals` everybody. The rule itself stays
 * as it was sent.
 */
export function inStoredForm(field: TextField, test: ValueTest): ValueTest {
  if ((field !== "email" && field !== "domain") || !("value" in test) || typeof test.value !== "string")
    return test;
  const stored = field === "email" ? storedAddressPiece : storedDomainPiece;
  return { ...test, value: stored(test.value) } as ValueTest;
}
