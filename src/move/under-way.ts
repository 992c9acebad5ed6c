type UnderWay = {
  readonly servers: number;
  readonly plans: number;
  readonly imports: number;
};

/** What must end before a database can be moved, for a person. */
export const stillUnderWay = ({ servers, plans, imports }: UnderWay): readonly string[] => [
  ...some(servers, "servers use it", "stop all of them (one that was killed counts for 15 seconds more)"),
  ...some(plans, "campaigns are being planned", "let a server end that, and stop it then"),
  ...some(imports, "imports are running", "let a server end them, or cancel them, and stop it then"),
];

const some = (n: number, what: string, advice: string): string[] =>
  n === 0 ? [] : [`${what} (${n}): ${advice}`];
