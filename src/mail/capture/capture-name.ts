/**
 * How the capture server knows whose mail it gets: in capture mode each workspace has connections of its own, and calls itself by its id
 * in EHLO. Only this machine reaches that port; who lies there adds mail to a workspace's mailbox, and reads none.
 */
const SUFFIX = ".captured.localhost";

export const captureName = (workspaceId: string): string => `${workspaceId}${SUFFIX}`;

/** The workspace an EHLO name stands for; null for any other client. */
export const capturedWorkspace = (name: string): string | null =>
  name.endsWith(SUFFIX) ? name.slice(0, -SUFFIX.length) : null;
