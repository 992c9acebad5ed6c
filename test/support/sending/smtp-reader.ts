const dotLine = Buffer.from("\r\n.\r\n");

type SmtpItem =
  | { kind: "command"; line: string }
  | { kind: "bare line end" }
  /** The first byte of a message came. */
  | { kind: "body" }
  /** `raw` is without dot-stuffing; `clean` says that every line ended in CRLF. */
  | { kind: "message"; raw: Buffer; clean: boolean };

export type SmtpReader = {
  feed(chunk: Buffer): void;
  /** The next whole thing received, or null until more comes. */
  next(): SmtpItem | null;
  /** After DATA was accepted: what follows is a message up to its dot. */
  expectMessage(): void;
};

/** Cuts what an SMTP client sends into commands and messages, strictly: only CRLF ends a line. */
export function smtpReader(): SmtpReader {
  let pending = Buffer.alloc(0);
  let parts: Buffer[] = [];
  let inMessage = false;
  let begun = false;

  const collect = (): void => {
    if (parts.length > 0) pending = Buffer.concat([pending, ...parts]);
    parts = [];
  };
  const command = (): SmtpItem | null => {
    collect();
    const end = pending.indexOf("\n");
    if (end === -1) return null;
    const line = pending.toString("latin1", 0, end);
    pending = pending.subarray(end + 1);
    return line.endsWith("\r") && !line.slice(0, -1).includes("\r")
      ? { kind: "command", line: line.slice(0, -1) }
      : { kind: "bare line end" };
  };
  const message = (): SmtpItem | null => {
    // Only look when the newest bytes can end a message; joining all parts each time would be quadratic.
    const newest = parts.at(-1) ?? pending;
    if (!begun && newest.length > 0) {
      begun = true;
      return { kind: "body" };
    }
    if (!newest.includes("\n")) return null;
    collect();
    if (pending.toString("latin1", 0, 3) === ".\r\n") return finish(0, 3);
    const end = pending.indexOf(dotLine);
    return end === -1 ? null : finish(end + 2, end + dotLine.length);
  };
  const finish = (bodyEnd: number, next: number): SmtpItem => {
    const stuffed = pending.subarray(0, bodyEnd);
    pending = pending.subarray(next);
    inMessage = false;
    return { kind: "message", raw: unstuffed(stuffed), clean: onlyCrlf(stuffed) };
  };
  return {
    feed: (chunk) => void parts.push(Buffer.from(chunk)),
    next: () => (inMessage ? message() : command()),
    expectMessage: () => {
      inMessage = true;
      begun = false;
    },
  };
}

function unstuffed(body: Buffer): Buffer {
  const parts: Buffer[] = [];
  let start = body[0] === 0x2e ? 1 : 0;
  for (let dot = body.indexOf("\r\n."); dot !== -1; dot = body.indexOf("\r\n.", dot + 2)) {
    parts.push(body.subarray(start, dot + 2));
    start = dot + 3;
  }
  return Buffer.concat([...parts, body.subarray(start)]);
}

function onlyCrlf(body: Buffer): boolean {
  for (let at = body.indexOf(0x0a); at !== -1; at = body.indexOf(0x0a, at + 1))
    if (body[at - 1] !== 0x0d) return false;
  for (let at = body.indexOf(0x0d); at !== -1; at = body.indexOf(0x0d, at + 1))
    if (body[at + 1] !== 0x0a) return false;
  return true;
}
