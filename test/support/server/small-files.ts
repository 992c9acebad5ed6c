/** A command that cannot write on: the system lets it make no file larger than a limit, as on a disk that is full. */
import { lacks } from "../common/needs.ts";
import { PROGRAM } from "./postrider.ts";

export const lacksLimits = lacks(
  "Linux",
  process.platform === "linux",
  "they need its limits of a file's size.",
);

export async function withSmallFiles(
  dataDir: string,
  kib: number,
  args: readonly string[],
): Promise<{ readonly code: number; readonly err: string }> {
  // The shell counts blocks of 512 bytes.
  const child = Bun.spawn(["sh", "-c", `ulimit -f ${2 * kib}; exec "$@"`, "sh", ...PROGRAM, ...args], {
    env: { ...process.env, DATA_DIR: dataDir },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe",
  });
  const err = await new Response(child.stderr).text();
  return { code: await child.exited, err };
}
