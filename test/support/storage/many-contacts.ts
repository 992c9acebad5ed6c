import type { World } from "#app/world.ts";
import { newPlace, openTestServices, writeTo } from "../server/services.ts";

/** Makes a workspace with so many contacts in a data directory that a command works on it for a while. */
export async function fillWithContacts(
  home: string,
  world: World,
  { count, lastName }: { readonly count: number; readonly lastName: string },
): Promise<void> {
  const place = await newPlace(home);
  const services = await openTestServices(place, home, world);
  await services.workspaces.create("Many");
  await writeTo(
    { place, services },
    `WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
     INSERT INTO contacts (id, workspace, email, first_name, last_name, status, search, created_at)
     SELECT 'ct_' || i, 1, 'reader-' || i || '@example.com', '${"x".repeat(200)}', '${lastName}', 'SUBSCRIBED', 'reader-' || i, i FROM n`,
  );
  await services.close();
}
