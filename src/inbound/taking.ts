import type { IncomingMail, ProviderReport, Taken, ReportWay } from "#bounces/incoming.ts";

/**
 * Takes what came in. Every method resolves when its effect is durable, and rejects only if this service
 * cannot store it, or cannot read it for now: then it must be sent again. Calling again is always safe,
 * because a report counts once.
 */
export type Taking = {
  takeMail(mail: IncomingMail): Promise<Taken>;
  takeReport(workspaceId: string, report: ProviderReport, way: ReportWay): Promise<Taken>;
};
