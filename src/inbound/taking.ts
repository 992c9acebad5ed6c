import type { IncomingMail, ProviderReport, Taken, Way } from "#bounces/incoming.ts";

/**
 * What becomes of what came in. Everything here resolves when its effect is durable, and rejects only where
 * this service cannot keep it: then it has to come again. Calling again is always safe, because a report
 * counts once.
 */
export type Taking = {
  takeMail(mail: IncomingMail): Promise<Taken>;
  takeReport(workspaceId: string, report: ProviderReport, way: Way): Promise<Taken>;
};
