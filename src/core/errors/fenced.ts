/** This process, one of several that send from a database, may send nothing more and must be started again. */
export class Fenced extends Error {
  constructor(
    says = "The lease of this node is over: other nodes go on with what it was sending. It must start anew.",
  ) {
    super(says);
    this.name = "Fenced";
  }
}

/** The server that took over may have lost the last commits, including claimed dots. */
export class Moved extends Fenced {
  constructor() {
    super("Another PostgreSQL answers than before: this process must start anew, and look what it owes.");
    this.name = "Moved";
  }
}

/** The database answers nothing, not even with an error. Its machine may be gone: TCP would wait for 15 minutes. */
export class Unanswered extends Fenced {
  constructor(seconds: number) {
    super(
      `The database has answered nothing for ${seconds} seconds: this process must start anew, with new connections.`,
    );
    this.name = "Unanswered";
  }
}

/** A snapshot of the database was put back while this process ran: what it wrote since then is not there. */
export class WentBack extends Fenced {
  constructor() {
    super("The database is older than before: this process must start anew, and look what it owes.");
    this.name = "WentBack";
  }
}
