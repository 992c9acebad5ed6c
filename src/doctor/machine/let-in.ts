import { readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";

const OWN =
  "it belongs to this user, so correct its permissions, and those of the directories above it (with SELinux also its label)";

/**
 * What lets a command in that was refused here: to run it as the server's user, with the name if it can be learned from
 * who owns this file. Where that is who runs it already, another user would help nobody.
 */
export function letIn(path: string): string {
  const uid = unlessRefused(() => statSync(path).uid) ?? unlessRefused(() => statSync(dirname(path)).uid);
  if (uid === null) return "run it as the server's user";
  return uid === process.getuid?.() ? OWN : `run it as the server's user (${nameOf(uid)})`;
}

/** By the line of the user, `name:password:uid:…` (passwd(5)). One that only a directory service knows is a number. */
function nameOf(uid: number): string {
  const users = unlessRefused(() => readFileSync("/etc/passwd", "utf8")) ?? "";
  const fields = users.split("\n").map((line) => line.split(":"));
  return fields.find((user) => user[2] === String(uid))?.[0] ?? `user ${uid}`;
}

function unlessRefused<T>(look: () => T): T | null {
  try {
    return look();
  } catch {
    return null;
  }
}
