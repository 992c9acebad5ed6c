export const servers = {
  title: "Servers",
  says: "The servers that share this PostgreSQL and the work of sending. A server that ended is shown for a day; the others take over its work.",
  name: "Server",
  named: (name: string, number: number) => `${name}, run ${number}`,
  answered: (name: string) => `${name} (you are here)`,
  state: "Status",
  states: { LIVE: "Running", ENDED: "Ended" },
  version: "Version",
  startedAt: "Started",
  lastSeen: "Last seen",
  slices: "Parts of campaigns",
};
