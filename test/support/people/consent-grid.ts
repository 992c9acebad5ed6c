/**
 * The contract's contact status table, as a client sees it. The row is the person's status before. The column
 * is the `status` of the request ("none": not sent; BOGUS: an unknown value). The cell is the status after
 * it, and what else happened:
 *
 * - `g`: GIVEN is logged
 * - `w`: WITHDRAWN is logged
 * - `x`: the address is suppressed, and on no list
 * - `!`: refused with 422
 *
 * NEW: there is neither a contact nor a suppression. What is not in the cell must not happen.
 */
export const COLUMNS = ["none", "PENDING", "SUBSCRIBED", "UNSUBSCRIBED", "BOUNCED", "BOGUS"] as const;

export type Grid = {
  readonly method: "POST" | "PATCH";
  readonly consent: "explicit" | "declined" | null;
  readonly rows: string;
};

const OUT = "Uxw Uxw Uxw Uxw Uxw";

export const GRIDS: readonly Grid[] = [
  {
    method: "POST",
    consent: null,
    rows: `NEW          S  P  S  Ux Bx S
           PENDING      S  P  S  Ux Bx S
           SUBSCRIBED   S  S  S  Ux Bx S
           UNSUBSCRIBED U  U  U  U  U  U
           BOUNCED      B  B  B  B  B  B
           HARD_BOUNCE  B  B  B  B  B  B
           COMPLAINT    U  U  U  U  U  U
           MANUAL       U  U  U  U  U  U
           OPTED_OUT    U  U  U  U  U  U`,
  },
  {
    method: "POST",
    consent: "explicit",
    rows: `NEW          Sg P  Sg Ux Bx Sg
           PENDING      Sg P  Sg Ux Bx Sg
           SUBSCRIBED   Sg S  Sg Ux Bx Sg
           UNSUBSCRIBED Sg U  Sg U  U  Sg
           BOUNCED      B  B  B  B  B  B
           HARD_BOUNCE  B  B  B  B  B  B
           COMPLAINT    Sg U  Sg U  U  Sg
           MANUAL       Sg U  Sg U  U  Sg
           OPTED_OUT    Sg U  Sg U  U  Sg`,
  },
  {
    method: "POST",
    consent: "declined",
    rows: [
      "NEW",
      "PENDING",
      "SUBSCRIBED",
      "UNSUBSCRIBED",
      "BOUNCED",
      "HARD_BOUNCE",
      "COMPLAINT",
      "MANUAL",
      "OPTED_OUT",
    ]
      .map((row) => `${row} ${OUT} Uxw`)
      .join("\n"),
  },
  {
    method: "PATCH",
    consent: null,
    rows: `PENDING      P  P  S  Ux Bx !
           SUBSCRIBED   S  S  S  Ux Bx !
           UNSUBSCRIBED U  U  U  U  U  !
           BOUNCED      B  B  B  B  B  !`,
  },
  {
    method: "PATCH",
    consent: "explicit",
    rows: `PENDING      P  P  Sg Ux Bx !
           SUBSCRIBED   S  S  Sg Ux Bx !
           UNSUBSCRIBED U  U  Sg U  U  !
           BOUNCED      B  B  B  B  B  !`,
  },
  {
    method: "PATCH",
    consent: "declined",
    rows: ["PENDING", "SUBSCRIBED", "UNSUBSCRIBED", "BOUNCED"].map((row) => `${row} ${OUT} !`).join("\n"),
  },
];

/** A grid's rows: where the person stands, and the six cells. */
export function rowsOf({ rows }: Grid): { standing: string; cells: string[] }[] {
  return rows.split("\n").map((line) => {
    const [standing, ...cells] = line.trim().split(/\s+/);
    return { standing: standing!, cells };
  });
}
