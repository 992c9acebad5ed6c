import { storedDomainPiece } from "#core/addresses/email-address.ts";
import type { TextField, ValueTest } from "./rule.ts";

/**
 * A test as it is compared with what is stored. Addresses are stored in ASCII (`xn--bcher-kva.example`), and people
 * write `bücher.example`: without this, `equals` would fit nobody, and `notEquals` everybody. The rule itself stays
 * as it was sent.
 */
export function inStoredForm(field: TextField, test: ValueTest): ValueTest {
  if ((field !== "email" && field !== "domain") || !("value" in test) || typeof test.value !== "string")
    return test;
  const { value } = test;
  const domainAt = field === "email" ? value.lastIndexOf("@") + 1 : 0;
  // An address that starts so has this text before its @, where everything is ASCII.
  if (field === "email" && domainAt === 0 && test.op === "startsWith") return test;
  return { ...test, value: value.slice(0, domainAt) + storedDomainPiece(value.slice(domainAt)) } as ValueTest;
}
