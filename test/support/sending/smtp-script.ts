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
 * What the server does instead of its usual answer: send a reply line (several are joined by CRLF), drop the
 * connection (FIN), reset it (RST), or stall (say nothing more). A `reply` with `and` is sent first, when
 * `after` has resolved. At the dot, a 2xx `reply` keeps the message. `kept` decides it for other replies; the
 * default is to discard it.
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
