import { sleep, systemClock } from "#core/time/clock.ts";
import type { Person } from "./signed-in.ts";

/** A backup that this owner made and may download, by its id. Waits for one that is being made. */
export async function unlockedBackup(owner: Person, password: string): Promise<string> {
  const over = async (): Promise<void> => {
    for (;;) {
      const { data } = (await owner.call("GET", "/backups")).body;
      if (!data.some(({ state }: { state: string }) => state === "RUNNING")) return;
      await sleep(systemClock, 10);
    }
  };
  await over();
  const made = await owner.call("POST", "/backups");
  if (made.status !== 202) throw new Error(`no backup: ${JSON.stringify(made.body)}`);
  await over();
  const { id } = made.body.data;
  const { status } = await owner.call("POST", `/backups/${id}/unlock`, { password });
  if (status !== 200) throw new Error(`the backup was not unlocked: ${status}`);
  return id;
}
