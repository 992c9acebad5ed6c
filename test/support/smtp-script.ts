/**
 * Where the script may interfere. HELO counts as EHLO; BODY is the first byte of the message, before its dot.
 */
export type ServerStage =
  | "CONNECT"
  | "EHLO"
  | "AUTH"
  | "MAIL"
  | "RCPT"
  | "DATA"
  | "BODY"
  | "DOT"
  | "RSET"
  | "QUIT";

/**
 * What the server does instead of its usual answer: a reply line (several joined by CRLF), or one of drop
 * (FIN), reset (RST), stall (never a word again); `reply` with `and` answers first, once `after` has come
 * true. At the dot a 2xx `reply` keeps the message; `kept` decides it for the others (default: discarded).
 */
export type Behaviour =
  | string
  | {
      reply?: string;
      and: "drop" | "reset" | "stall" | "go on";
      kept?: boolean;
      after?: Promise<unknown>;
    };
export const drop: Behaviour = { and: "drop" };
export const reset: Behaviour = { and: "reset" };
export const stall: Behaviour = { and: "stall" };

/** What is known when the script is asked. `message` counts MAIL commands over the whole server, from 1. */
export type Moment = {
  stage: ServerStage;
  connection: number;
  message: number;
  mailFrom: string;
  rcptTo: string[];
};
export type Script = { [stage in ServerStage]?: Behaviour | ((moment: Moment) => Behaviour | undefined) };
