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

/** Files that arrive at once: each may take {@link FILE_BYTES} of memory. */
const AT_ONCE = 8;
const OF_A_NETWORK = 3;
/** Milliseconds over which the pace of a file is measured. No one gives way in the first of them. */
export const PACE_MS = 10_000;
/** Bytes of {@link PACE_MS} at which the largest file just arrives in time. */
export const FAIR_PACE = Math.floor((FILE_BYTES * PACE_MS) / UPLOAD_MS);

interface Sender {
  /** A keyed hash of its address. */
  readonly network: string;
  /** The same for each attempt to send one file; the last attempt ends those before it. */
  readonly attempt?: string | undefined;
}

/** Limits files that arrive at a time. Slow ones give way when no place is left, so they shut no one out. */
export class Receiving {
  readonly #places = new Set<Place>();

  /**
   * @param work gets what reads the file's content into memory; its other work is never cut short.
   * @throws {PlaceLost} from reading: someone else has the place now.
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
   * has the most places, then the slowest. Anyone who is fast keeps its place, unless its network has more
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
    // It may be lost when no one reads.
    this.#lost.promise.catch(() => undefined);
  }

  async read(content: AsyncIterable<Uint8Array>): Promise<Buffer> {
    const file = readFile(this.#counted(content));
    // What still arrives after the place is lost concerns no one.
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

/** Someone else has the place of a file that was arriving. The rest of it must not be waited for. */
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

/** The scanner gave no verdict: it cannot be reached, takes too long, or answers something else. */
export class ScannerAway extends Error {
  override readonly name = "ScannerAway";
}

/** The scanner knows something harmful in the file. */
export class FileInfected extends Error {
  override readonly name = "FileInfected";
}

/** Checks a whole file. @throws {FileInfected} @throws {ScannerAway} */
export type Scan = (file: Buffer) => Promise<void>;

const LIMIT_MS = 30_000;
/** Bytes of an answer: "stream: <name> FOUND". */
const MOST_ANSWERED = 4096;
const DEFAULT_PORT = 3310;

/** Scans with ClamAV's INSTREAM (clamd(8)): chunks after their lengths in four bytes. @param url `tcp://host:port` */
export function clamavAt(url: string, limitMs: number = LIMIT_MS): Scan {
  const { hostname, port } = new URL(url);
  const place = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? DEFAULT_PORT : Number(port),
  };
  return async (file) => {
    const answer = await ask(place, file, limitMs);
    if (answer === "stream: OK") return;
    // The signature's name is for no one who tries what gets through.
    if (/^stream: .* FOUND$/s.test(answer)) throw new FileInfected("a signature matches");
    throw new ScannerAway("the scanner gave no verdict");
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
    const away = (why: string) => end(() => reject(new ScannerAway(why)));
    const timer = setTimeout(() => away("the scanner takes too long"), limitMs);
    let answer = "";
    socket.setEncoding("latin1");
    socket.on("data", (chunk) => {
      answer += chunk;
      const whole = answer.indexOf("\0");
      if (whole >= 0) end(() => resolve(answer.slice(0, whole)));
      else if (answer.length > MOST_ANSWERED) away("the scanner answers too much");
    });
    // It may answer, and close, before it has read all.
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

/** Lets the routes of this scope take a file as their body and read it themselves. @param mostBytes of a file. */
export function takeFiles(scope: ServiceInstance, mostBytes = () => FILE_BYTES): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser("*", (request, _payload, next) => {
    const bytes = announced(request);
    const most = mostBytes();
    next(bytes !== undefined && bytes > most ? fileTooLarge(most) : null, undefined);
  });
  // Otherwise the rest of the file would go on arriving, at its sender's pace.
  scope.addHook("onError", async (_request, reply, error) => {
    if (error instanceof PlaceLost) reply.header("connection", "close");
  });
}

/** The size that the request announces; undefined when it announces none. */
export function announced({ headers }: FastifyRequest): number | undefined {
  const length = headers["content-length"];
  return length === undefined ? undefined : Number(length);
}

/** The body as it arrives. A refusal does not close the connection that carries it. */
export function contentOf({ raw }: FastifyRequest): AsyncIterable<Uint8Array> {
  return raw.iterator({ destroyOnReturn: false });
}

/** Sends a file as a download: a browser never shows it itself, whatever is in it. */
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

/** What a caller is told of a file that cannot be taken; other errors as they are. */
export function refusalOfFile(error: unknown): unknown {
  if (error instanceof FileRefused) return new DomainError("file_refused", error.message);
  if (error instanceof FileTooLarge) return fileTooLarge();
  if (error instanceof FileInfected)
    return new DomainError(
      "file_refused",
      "Our virus scanner found something harmful in this file, so we didn't accept it. Try another copy, for example a picture of it.",
    );
  if (error instanceof ScannerAway)
    return new DomainError(
      "unavailable",
      "We can't check files for viruses right now, so we didn't accept this one. Please try again in a moment, or submit without it.",
    );
  if (error instanceof PicturesBusy) return new DomainError("unavailable", messages.unavailable);
  return error;
}

/** A file's content, up to a size. @throws {DomainError} `too_large`, from reading. */
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

/** Bytes in memory as a stream's content. */
export async function* whole(bytes: Buffer): AsyncGenerator<Buffer, void, void> {
  yield bytes;
}

/** @param most bytes that a file may have. */
export function fileTooLarge(most: number = FILE_BYTES): DomainError {
  const megabytes = most / MEGABYTE;
  return new DomainError("too_large", `This file is too large. The limit is ${megabytes} MB.`);
}
