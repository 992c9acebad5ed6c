/** This process, one of several that send from a database, sends nothing any more, and must start anew. */
export class Fenced extends Error {
  constructor(
    says = "The lease of this node is over: other nodes go on with what it was sending. It must start anew.",
  ) {
    super(says);
    this.name = "Fenced";
  }
}

/** What was committed last may be lost where this one took over, dots too. */
export class Moved extends Fenced {
  constructor() {
    super("Another PostgreSQL answers than before: this process must start anew, and look what it owes.");
    this.name = "Moved";
  }
}
