/** What is remembered of failed sign-ins while somebody fails as often as they can. */
import { expect, test } from "bun:test";
import { SignInFailures } from "#sessions/failures.ts";

/** More than are remembered of one kind. */
const MANY = 100_001;
const ADA = { way: "password", email: "ada@example.com", network: "192.0.2.1" } as const;

test("passkeys that nobody has, from however many networks, do not make failed passwords forgotten", () => {
  const failures = new SignInFailures();
  for (let n = 0; n < 5; n++) expect(failures.begin({ ...ADA, network: `192.0.2.${n}` }, n)).toBeNull();
  for (let n = 0; n < MANY; n++)
    expect(failures.begin({ way: "passkey", email: null, network: `2001:db8::${n}` }, 5)).toBeNull();
  expect(failures.begin(ADA, 5)).toBe(900);
});

test("failures of a clock that was ahead are in nobody's way once it is set back", () => {
  const failures = new SignInFailures();
  const ahead = 3_600_000;
  for (let n = 0; n < 5; n++) expect(failures.begin(ADA, ahead)).toBeNull();
  expect(failures.begin(ADA, ahead + 1)).toBe(900);
  expect(failures.begin(ADA, 0)).toBeNull();
});
