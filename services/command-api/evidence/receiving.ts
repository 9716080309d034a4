import { DomainError } from "#contracts/domain-error.ts";
import { FILE_BYTES } from "#contracts/report/evidence-rules.ts";
import { UPLOAD_MS } from "#http/bounds.ts";
import { readFile } from "./file-content.ts";

/** Files that arrive at once: each may take {@link FILE_BYTES} of memory. */
const AT_ONCE = 8;
const OF_A_NETWORK = 3;
/** Milliseconds over which the pace of a file is measured. Nobody gives way in the first of them. */
export const PACE_MS = 10_000;
/** Bytes of {@link PACE_MS} at which the largest file just arrives in time. */
export const FAIR_PACE = Math.floor((FILE_BYTES * PACE_MS) / UPLOAD_MS);

/** Who sends a file. */
interface Sender {
  /** A keyed hash of its address. */
  readonly network: string;
  /** The same for each attempt to send one file; the last attempt ends those before it. */
  readonly attempt?: string | undefined;
}

/**
 * Limits how many files arrive at the same time, so that memory stays bounded. Slow files have their
 * time, but when no place is left they give way: three networks that send slowly shut nobody out.
 */
export class Receiving {
  readonly #places = new Set<Place>();

  /**
   * @param work gets what reads the file's content into memory; its other work is never cut short.
   * @throws {PlaceLost} from reading: somebody else has the place now.
   * @throws {DomainError} `unavailable`: too many others are arriving; `too_large` from reading.
   */
  async run<T>(
    sender: Sender,
    work: (read: (content: AsyncIterable<Uint8Array>) => Promise<Buffer>) => Promise<T>,
  ): Promise<T> {
    const place = this.#take(sender);
    try {
      return await work((content) => place.read(content));
    } finally {
      this.#free(place);
    }
  }

  #take(sender: Sender): Place {
    const { attempt } = sender;
    // One whose file has arrived still takes its memory, so it keeps its place.
    for (const place of attempt === undefined ? [] : [...this.#places])
      if (place.isArriving && place.sender.attempt === attempt) this.#giveWay(place);
    const own = this.#heldBy(sender.network);
    if (own >= OF_A_NETWORK || this.#places.size >= AT_ONCE) {
      const slowest = this.#slowest(sender.network, own);
      if (!slowest) throw tooManyArriving();
      this.#giveWay(slowest);
    }
    const place = new Place(sender);
    this.#places.add(place);
    return place;
  }

  /**
   * The file that gives way to one more of a network that has `own` places: first one of the network that
   * has the most places, then the slowest. Whoever is fast keeps its place, unless its network has more
   * places than the newcomer's would have.
   */
  #slowest(network: string, own: number): Place | undefined {
    const heldBy = (place: Place) => this.#heldBy(place.sender.network);
    return [...this.#places]
      .filter((place) => own < OF_A_NETWORK || place.sender.network === network)
      .filter((place) => place.isArriving && place.pace !== undefined)
      .filter((place) => (place.pace ?? 0) < FAIR_PACE || heldBy(place) > own + 1)
      .toSorted((a, b) => heldBy(b) - heldBy(a) || (a.pace ?? 0) - (b.pace ?? 0))[0];
  }

  #heldBy(network: string): number {
    return [...this.#places].filter(({ sender }) => sender.network === network).length;
  }

  #giveWay(place: Place): void {
    place.end();
    this.#free(place);
  }

  #free(place: Place): void {
    place.stop();
    this.#places.delete(place);
  }
}

class Place {
  readonly sender: Sender;
  /** Until the file is in memory. */
  isArriving = true;
  /** Bytes of the last whole {@link PACE_MS}; undefined before there was one. */
  pace: number | undefined;
  #bytes = 0;
  readonly #timer: NodeJS.Timeout;
  readonly #lost = Promise.withResolvers<never>();
  #isLost = false;

  constructor(sender: Sender) {
    this.sender = sender;
    this.#timer = setInterval(() => {
      this.pace = this.#bytes;
      this.#bytes = 0;
    }, PACE_MS);
    this.#timer.unref();
    // It may be lost when nobody reads.
    this.#lost.promise.catch(() => undefined);
  }

  async read(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
    const file = readFile(this.#counted(content));
    // What still arrives after the place is lost concerns nobody.
    file.catch(() => undefined);
    const whole = await Promise.race([file, this.#lost.promise]);
    this.isArriving = false;
    return whole;
  }

  end(): void {
    this.#isLost = true;
    this.#lost.reject(new PlaceLost());
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async *#counted(content: AsyncIterable<Uint8Array>) {
    for await (const chunk of content) {
      if (this.#isLost) throw new PlaceLost();
      this.#bytes += chunk.length;
      yield chunk;
    }
  }
}

/** Somebody else has the place of a file that was arriving. The rest of it must not be waited for. */
export class PlaceLost extends DomainError {
  constructor() {
    super(
      "unavailable",
      "This file arrived too slowly while others were waiting. Please try again in a moment.",
    );
  }
}

function tooManyArriving(): DomainError {
  return new DomainError(
    "unavailable",
    "Too many files are being uploaded right now. Please try again in a moment.",
  );
}
