import type { Page } from "playwright-core";
import type { Person } from "../server/signed-in.ts";

/** Signs in on the page that asks for it. */
export async function signsIn(
  page: Page,
  { email, password }: Pick<Person, "email" | "password">,
): Promise<void> {
  await page.getByLabel("Email address").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}
