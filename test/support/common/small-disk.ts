/** A small file system of its own (tmpfs), if this machine lets a test mount one. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const run = (...command: string[]): boolean => {
  try {
    return Bun.spawnSync(command, { stdout: "ignore", stderr: "ignore" }).exitCode === 0;
  } catch {
    return false;
  }
};

export const mountDisk = (path: string, kib: number): boolean =>
  run("mount", "-t", "tmpfs", "-o", `size=${kib}k,mode=0700`, "postrider-test", path);
export const unmountDisk = (path: string): boolean => run("umount", "-l", path);

export const canMount = ((): boolean => {
  const path = mkdtempSync(join(tmpdir(), "postrider-mount-"));
  const mounted = mountDisk(path, 1024);
  if (mounted) unmountDisk(path);
  rmSync(path, { recursive: true });
  return mounted;
})();
