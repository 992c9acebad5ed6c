/**
 * How many bytes of a workspace's long bodies are in memory at once, from their arrival to the answer. What is made of a
 * body takes about three times its bytes, so a hundred bulk requests at once took a gigabyte.
 */
const HOLDER_BYTES_MAX = 32 * 1024 * 1024;
/** The same for all who have no key and are not signed in. */
const STRANGERS_BYTES_MAX = 16 * 1024 * 1024;

/** What one body has of a room. */
export type Place = {
  /** Takes room for bytes that have arrived. Null: there is some; otherwise wait for it before you receive more. */
  take(bytes: number): Promise<void> | null;
  /** Gives all of it back. */
  leave(): void;
};

type Waiting = { readonly place: Place; readonly bytes: number; readonly enter: () => void };

/**
 * Room in memory for bodies. It is taken by what has arrived, never by what was announced: who is slow holds up nobody.
 * Who finds no room waits for those before.
 */
class BodyRoom {
  #taken = 0;
  #waiting: Waiting[] = [];
  /** One body may have more than there is room for. Otherwise many that are half received would wait for each other. */
  #beyond: Place | null = null;

  constructor(private readonly bytesMax: number) {}

  place(): Place {
    let taken = 0;
    const add = (bytes: number): void => {
      taken += bytes;
      this.#taken += bytes;
    };
    const place: Place = {
      take: (bytes) => {
        if (place === this.#beyond || (this.#waiting.length === 0 && this.#taken + bytes <= this.bytesMax)) {
          add(bytes);
          return null;
        }
        return new Promise((resolve) => {
          const enter = (): void => {
            add(bytes);
            resolve();
          };
          this.#waiting.push({ place, bytes, enter });
          this.#letIn();
        });
      },
      leave: () => {
        this.#taken -= taken;
        taken = 0;
        this.#waiting = this.#waiting.filter((one) => one.place !== place);
        if (this.#beyond === place) this.#beyond = null;
        this.#letIn();
      },
    };
    return place;
  }

  /** In the order in which they came. */
  #letIn(): void {
    for (;;) {
      const [next] = this.#waiting;
      if (next === undefined) return;
      if (this.#taken + next.bytes > this.bytesMax) {
        if (this.#beyond !== null) return;
        this.#beyond = next.place;
      }
      this.#waiting.shift();
      next.enter();
    }
  }
}

/** The rooms of a server: one for each workspace, so that no workspace holds up another, and one for strangers. */
export class BodyRooms {
  readonly #strangers = new BodyRoom(STRANGERS_BYTES_MAX);
  /** By workspace, or by the person where a route belongs to none; only those that have a body under way. */
  readonly #holders = new Map<string, { readonly room: BodyRoom; places: number }>();

  /** @param holder null: a stranger */
  place(holder: string | null): Place {
    if (holder === null) return this.#strangers.place();
    const held = this.#holders.get(holder) ?? { room: new BodyRoom(HOLDER_BYTES_MAX), places: 0 };
    this.#holders.set(holder, held);
    held.places++;
    const place = held.room.place();
    let isHere = true;
    return {
      take: place.take,
      leave: () => {
        if (!isHere) return;
        isHere = false;
        place.leave();
        if (--held.places === 0) this.#holders.delete(holder);
      },
    };
  }
}
