/**
 * How the capture server knows which workspace a message belongs to. In capture mode each workspace has its
 * own connections, and each of them names its workspace's id in EHLO. Only this machine can reach that port.
 * A program here that lies in EHLO can add mail to a workspace's mailbox, but cannot read any.
 */
const SUFFIX = ".captured.localhost";

export const captureName = (workspaceId: string): string => `${workspaceId}${SUFFIX}`;

/** The workspace that an EHLO name belongs to; null for any other client. */
export const capturedWorkspace = (name: string): string | null =>
  name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : null;
