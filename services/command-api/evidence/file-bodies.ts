import { connect } from "node:net";
import type { Readable } from "node:stream";
import type { FastifyReply, FastifyRequest } from "fastify";
import { DomainError } from "#contracts/domain-error.ts";
import { FILE_BYTES, MEGABYTE } from "#contracts/report/evidence-rules.ts";
import { FileTooLarge } from "#files/port.ts";
import { UPLOAD_MS } from "#http/bounds.ts";
import { messages } from "#http/errors.ts";
import type { ServiceInstance } from "#http/service.ts";
import { FileRefused, PicturesBusy } from "#pictures/pictures.ts";

/** Concurrent uploads; each may use {@link FILE_BYTES} of memory. */
const AT_ONCE = 8;
const OF_A_NETWORK = 3;
/** Interval in milliseconds over which an upload's speed is measured. No upload is dropped during its first one. */
export const SPEED_WINDOW_MS = 10_000;
/** Bytes per {@link SPEED_WINDOW_MS} at which the largest file just makes it in time. */
export const MIN_SPEED = Math.floor((FILE_BYTES * SPEED_WINDOW_MS) / UPLOAD_MS);

interface Sender {
  /** Keyed hash of the sender's address. */
  readonly network: string;
  /** Same for each attempt to send one file; a new attempt replaces the earlier ones. */
  readonly attempt?: string | undefined;
}

/** Limits concurrent uploads. When full, slow ones are dropped, so they can't block everyone else. */
export class UploadSlots {
  readonly #places = new Set<Slot>();

  /**
   * @param work receives a function that reads the content into memory; its other work is never interrupted.
   * @throws {SlotLost} from reading, if another upload has taken the place.
   * @throws {DomainError} `unavailable` if too many uploads are in flight; `too_large` from reading.
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

  #take(sender: Sender): Slot {
    const { attempt } = sender;
    // A file that has fully arrived still uses memory, so it keeps its place.
    for (const place of attempt === undefined ? [] : [...this.#places])
      if (place.isArriving && place.sender.attempt === attempt) this.#giveWay(place);
    const own = this.#heldBy(sender.network);
    if (own >= OF_A_NETWORK || this.#places.size >= AT_ONCE) {
      const slowest = this.#slowest(sender.network, own);
      if (!slowest) throw tooManyArriving();
      this.#giveWay(slowest);
    }
    const place = new Slot(sender);
    this.#places.add(place);
    return place;
  }

  /**
   * The upload to drop for a network that has `own` places: from the network with the most places first, then the
   * slowest. A fast upload keeps its place unless its network has more places than the new one's would have.
   */
  #slowest(network: string, own: number): Slot | undefined {
    const heldBy = (place: Slot) => this.#heldBy(place.sender.network);
    return [...this.#places]
      .filter((place) => own < OF_A_NETWORK || place.sender.network === network)
      .filter((place) => place.isArriving && place.pace !== undefined)
      .filter((place) => (place.pace ?? 0) < MIN_SPEED || heldBy(place) > own + 1)
      .toSorted((a, b) => heldBy(b) - heldBy(a) || (a.pace ?? 0) - (b.pace ?? 0))[0];
  }

  #heldBy(network: string): number {
    return [...this.#places].filter(({ sender }) => sender.network === network).length;
  }

  #giveWay(place: Slot): void {
    place.end();
    this.#free(place);
  }

  #free(place: Slot): void {
    place.stop();
    this.#places.delete(place);
  }
}

class Slot {
  readonly sender: Sender;
  isArriving = true;
  /** Bytes in the last full {@link SPEED_WINDOW_MS}; undefined before the first. */
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
    }, SPEED_WINDOW_MS);
    this.#timer.unref();
    // Rejection may happen while no one is reading.
    this.#lost.promise.catch(() => undefined);
  }

  async read(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
    const file = readFile(this.#counted(content));
    // Ignore errors of what arrives after the place was lost.
    file.catch(() => undefined);
    const whole = await Promise.race([file, this.#lost.promise]);
    this.isArriving = false;
    return whole;
  }

  end(): void {
    this.#isLost = true;
    this.#lost.reject(new SlotLost());
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  async *#counted(content: AsyncIterable<Uint8Array>) {
    for await (const chunk of content) {
      if (this.#isLost) throw new SlotLost();
      this.#bytes += chunk.length;
      yield chunk;
    }
  }
}

/** Another upload has taken the place of this one. Don't wait for the rest of it. */
export class SlotLost extends DomainError {
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

/** The scanner gave no verdict: it is unreachable, too slow, or sent an unexpected reply. */
export class ScannerUnavailable extends Error {
  override readonly name = "ScannerAway";
}

/** The scanner found something harmful in the file. */
export class FileInfected extends Error {
  override readonly name = "FileInfected";
}

/** Scans a whole file. @throws {FileInfected} @throws {ScannerUnavailable} */
export type Scan = (file: Buffer) => Promise<void>;

const LIMIT_MS = 30_000;
/** Maximum bytes of a reply such as "stream: <name> FOUND". */
const MAX_ANSWERED = 4096;
const DEFAULT_PORT = 3310;

/** Scans with ClamAV's INSTREAM (clamd(8)): chunks prefixed with a four-byte length. @param url `tcp://host:port` */
export function clamavAt(url: string, limitMs: number = LIMIT_MS): Scan {
  const { hostname, port } = new URL(url);
  const place = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? DEFAULT_PORT : Number(port),
  };
  return async (file) => {
    const answer = await ask(place, file, limitMs);
    if (answer === "stream: OK") return;
    // Don't reveal the signature's name to someone probing the scanner.
    if (/^stream: .* FOUND$/s.test(answer)) throw new FileInfected("a signature matches");
    throw new ScannerUnavailable("the scanner gave no verdict");
  };
}

function ask(
  place: { readonly host: string; readonly port: number },
  file: Buffer,
  limitMs: number,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(place);
    const end = (settle: () => void) => {
      clearTimeout(timer);
      socket.destroy();
      settle();
    };
    const away = (why: string) => end(() => reject(new ScannerUnavailable(why)));
    const timer = setTimeout(() => away("the scanner timed out"), limitMs);
    let answer = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      answer += chunk;
      const whole = answer.indexOf("\0");
      if (whole >= 0) end(() => resolve(answer.slice(0, whole)));
      else if (answer.length > MAX_ANSWERED) away("the scanner's reply is too long");
    });
    // clamd may reply and close before it has read everything.
    socket.on("error", ({ message }) => away(message));
    socket.on("close", () => away("the scanner closed the connection"));
    const length = Buffer.alloc(4);
    length.writeUInt32BE(file.length);
    socket.write("zINSTREAM\0");
    socket.write(length);
    socket.write(file);
    socket.write(Buffer.alloc(4));
  });
}

/** Lets this scope's routes accept a file as their body and read it themselves. @param mostBytes limit per file. */
export function takeFiles(scope: ServiceInstance, mostBytes = () => FILE_BYTES): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (request, _payload, next) => {
    const bytes = announced(request);
    const most = mostBytes();
    next(bytes !== undefined && bytes > most ? fileTooLarge(most) : null, undefined);
  });
  // Otherwise the rest of the file would keep arriving at the sender's pace.
  scope.addHook("onError", async (_request, reply, error) => {
    if (error instanceof SlotLost) reply.header("connection", "close");
  });
}

/** The request's Content-Length; undefined without one. */
export function announced({ headers }: FastifyRequest): number | undefined {
  const length = headers["content-length"];
  return length === undefined ? undefined : Number(length);
}

/** The body as a stream. Refusing it doesn't close the connection. */
export function contentOf({ raw }: FastifyRequest): AsyncIterable<Uint8Array> {
  return raw.iterator({ destroyOnReturn: false });
}

/** Sends a file as a download, so that a browser never renders it. */
export function sendFile(
  reply: FastifyReply,
  file: {
    readonly name: string;
    readonly type: string;
    readonly bytes: number;
    readonly content: Readable;
  },
): FastifyReply {
  const name = encodeURIComponent(file.name).replace(/['()*]/g, escape);
  return reply
    .type(file.type)
    .header("content-length", file.bytes)
    .header("content-disposition", `attachment; filename*=UTF-8''${name}`)
    .send(file.content);
}

/** Maps a file error to what the caller sees; other errors pass through. */
export function refusalOfFile(error: unknown): unknown {
  if (error instanceof FileRefused) return new DomainError("file_refused", error.message);
  if (error instanceof FileTooLarge) return fileTooLarge();
  if (error instanceof FileInfected)
    return new DomainError(
      "file_refused",
      "Our virus scanner found something harmful in this file, so we didn't accept it. Try another copy, for example a picture of it.",
    );
  if (error instanceof ScannerUnavailable)
    return new DomainError(
      "unavailable",
      "We can't check files for viruses right now, so we didn't accept this one. Please try again in a moment, or submit without it.",
    );
  if (error instanceof PicturesBusy) return new DomainError("unavailable", messages.unavailable);
  return error;
}

/** Limits the size of a file's content. @throws {DomainError} `too_large`, from reading. */
export async function* atMost(
  content: AsyncIterable<Uint8Array>,
  most: number,
): AsyncGenerator<Uint8Array, void, void> {
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > most) throw fileTooLarge(most);
    yield chunk;
  }
}

/** Reads a whole file into memory. @throws {DomainError} `too_large` */
export async function readFile(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    bytes += chunk.length;
    if (bytes > FILE_BYTES) throw fileTooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes);
}

/** Wraps bytes in memory as stream content. */
export async function* whole(bytes: Buffer): AsyncGenerator<Buffer, void, void> {
  yield bytes;
}

/** @param most maximum bytes of a file. */
export function fileTooLarge(most: number = FILE_BYTES): DomainError {
  const megabytes = most / MEGABYTE;
  return new DomainError("too_large", `This file is too large. The limit is ${megabytes} MB.`);
}
