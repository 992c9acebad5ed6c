/**
 * How many bytes of long bodies are in memory at once, from the first byte to the answer. What is made of a body takes
 * about three times its bytes, so a hundred bulk requests at once took a gigabyte.
 */
const KNOWN_BYTES_MAX = 32 * 1024 * 1024;
/** The same for bodies of those who have no key and are not signed in. They cannot take the others' room. */
const STRANGERS_BYTES_MAX = 16 * 1024 * 1024;

type Waiting = { readonly bytes: number; enter(): void };

/** Gives back what it has more than so many bytes. */
export type KeepRoom = (bytes: number) => void;

/** Room in memory for bodies. Who finds no room waits for those before. */
class BodyRoom {
  #taken = 0;
  readonly #waiting: Waiting[] = [];

  constructor(private readonly bytesMax: number) {}

  /**
   * Resolves once there is room for so many bytes; in the order of the calls, so that a long one is not overtaken for
   * ever. Call the returned function as soon as less is needed, with 0 at the end.
   */
  enter(bytes: number): Promise<KeepRoom> {
    let taken = Math.min(bytes, this.bytesMax);
    const keep: KeepRoom = (kept) => {
      const given = Math.max(0, taken - kept);
      taken -= given;
      this.#taken -= given;
      this.#letIn();
    };
    return new Promise((resolve) => {
      this.#waiting.push({ bytes: taken, enter: () => resolve(keep) });
      this.#letIn();
    });
  }

  #letIn(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined || this.#taken + next.bytes > this.bytesMax) return;
      this.#waiting.shift();
      this.#taken += next.bytes;
      next.enter();
    }
  }
}

/** The room of a server, for those it knows and for strangers. */
export type BodyRooms = { readonly known: BodyRoom; readonly strangers: BodyRoom };

export const bodyRooms = (): BodyRooms => ({
  known: new BodyRoom(KNOWN_BYTES_MAX),
  strangers: new BodyRoom(STRANGERS_BYTES_MAX),
});
