const UNFIT = { email: 5, name: 5, scope: 5, domain: 5, event: 5, scheduledAt: 5, to: 5, role: 5 };

/** A body that no route takes, for a request that only asks whether it is let in: then it changes nothing either. */
export const unfitBody = (method: string): object | undefined =>
  method === "GET" || method === "DELETE" ? undefined : UNFIT;
