import { connect } from "node:net";

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

/** Milliseconds for one file. */
const LIMIT_MS = 30_000;
/** Bytes of an answer: "stream: <name> FOUND". */
const MOST_ANSWERED = 4096;
const DEFAULT_PORT = 3310;

/**
 * Scans with a ClamAV daemon, by its command INSTREAM (clamd(8)): chunks, each after its length in four
 * bytes, a chunk of no bytes, and an answer that ends with a zero.
 * @param url `tcp://host:port`
 */
export function clamavAt(url: string, limitMs: number = LIMIT_MS): Scan {
  const { hostname, port } = new URL(url);
  const place = {
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? DEFAULT_PORT : Number(port),
  };
  return async (file) => {
    const answer = await ask(place, file, limitMs);
    if (answer === "stream: OK") return;
    // The signature's name is for nobody who tries what gets through.
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
