import type { Upload } from "#contracts/http/evidence.ts";
import { UPLOAD_SECRET } from "#contracts/report/evidence-rules.ts";

const UPLOADS = "/prod/api/uploads";

const UNREACHABLE = "We couldn't upload this file because the connection was lost. Try again.";
const FAILED = "We couldn't add this file. Try again in a moment.";

/** Milliseconds without any progress after which a line counts as broken, however slow it is. */
const SILENCE_MS = 45_000;
/** Milliseconds in which a reply comes once all is sent: the server checks the file first. */
const REPLY_MS = 90_000;

/** A file that is tried again by a button keeps its secret as well. */
const secrets = new WeakMap<Blob, string>();

interface Sending {
  /** Gets the share of this attempt that was sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  /** Is told that the line broke; the file is sent again, from its beginning. */
  readonly onBroken: () => void;
  readonly signal: AbortSignal;
}

/**
 * Sends a file, again if need be, and tells how far it is. All attempts have one secret, so that the server
 * keeps nothing of those before the last.
 * @throws {FileNotSent} @throws the signal's reason.
 */
export function sendFile(file: Blob, sending: Sending): Promise<Upload> {
  const secret = secrets.get(file) ?? newSecret();
  secrets.set(file, secret);
  return sendAgain(() => sendOnce(file, secret, sending), sending);
}

/** `fetch` tells nothing of what was sent, hence `XMLHttpRequest`. */
function sendOnce(file: Blob, secret: string, { onProgress, signal }: Sending): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const waitFor = (ms: number) => {
      clearTimeout(timer);
      timer = setTimeout(stop, ms);
    };
    signal.addEventListener("abort", stop, { once: true });
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener("abort", stop);
      settle();
    };
    const broken = () => reject(new FileNotSent(UNREACHABLE, "passing"));
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      waitFor(loaded < total ? SILENCE_MS : REPLY_MS);
      onProgress(total > 0 ? loaded / total : 0);
    });
    request.addEventListener("load", () => end(() => settleReply(request, resolve, reject)));
    request.addEventListener("error", () => end(broken));
    request.addEventListener("abort", () =>
      end(signal.aborted ? () => reject(signal.reason) : broken),
    );
    request.open("POST", `${UPLOADS}?_cb=${Date.now()}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.setRequestHeader("accept", "application/json");
    request.setRequestHeader(UPLOAD_SECRET, secret);
    waitFor(SILENCE_MS);
    request.send(file);
  });
}

/** See {@link UPLOAD_SECRET}. */
function newSecret(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace("=", "");
}

function settleReply(
  request: XMLHttpRequest,
  resolve: (upload: Upload) => void,
  reject: (error: unknown) => void,
): void {
  const reply = parse(request.responseText);
  if (request.status === 200 && reply?.data) resolve(reply.data);
  else reject(new FileNotSent(reply?.error?.message ?? FAILED, hopeAfter(request.status)));
}

function hopeAfter(status: number): FileNotSent["hope"] {
  if (status >= 500 || status === 408) return "passing";
  return status === 429 ? "later" : "never";
}

/** Takes a file back that no report names. A failure does no harm: it is removed within a day. */
export async function takeBack({ id, secret }: Pick<Upload, "id" | "secret">): Promise<void> {
  await fetch(`${UPLOADS}/${id}?_cb=${Date.now()}`, {
    method: "DELETE",
    headers: { [UPLOAD_SECRET]: secret },
  }).catch(() => undefined);
}

interface Reply {
  readonly data?: Upload;
  readonly error?: { readonly message?: string };
}

function parse(text: string): Reply | undefined {
  try {
    return JSON.parse(text) as Reply;
  } catch {
    return undefined;
  }
}

/** Milliseconds before each further attempt. */
export const WAITS_MS: readonly number[] = [1000, 3000, 8000];

/**
 * Sends a file, and sends it again when the line broke or the server was away. While the browser is offline,
 * the next attempt waits for the line.
 * @param attempt sends it once. @param onBroken is told of each attempt that failed and is made again.
 * @throws {FileNotSent} of the last attempt. @throws the signal's reason.
 */
export async function sendAgain<T>(
  attempt: () => Promise<T>,
  options: { readonly signal: AbortSignal; readonly onBroken: () => void },
): Promise<T> {
  for (const wait of [...WAITS_MS, undefined]) {
    try {
      return await attempt();
    } catch (error) {
      const isPassing = error instanceof FileNotSent && error.hope === "passing";
      if (!isPassing || wait === undefined || options.signal.aborted) throw error;
      options.onBroken();
      await pause(wait, options.signal);
      await online(options.signal);
    }
  }
  throw new Error("more attempts than there are");
}

/** @throws the signal's reason. */
function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Resolves when the browser is not sure to be offline. */
function online(signal: AbortSignal): Promise<void> {
  if (navigator.onLine) return Promise.resolve();
  return new Promise((resolve, reject) => {
    addEventListener("online", () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

/** A file was not taken. */
export class FileNotSent extends Error {
  override name = "FileNotSent";
  /**
   * `passing`: the line broke, or the server was away; another attempt soon may succeed. `later`: it may
   * after a while. `never`: the file is refused.
   */
  readonly hope: "passing" | "later" | "never";

  constructor(message: string, hope: FileNotSent["hope"]) {
    super(message);
    this.hope = hope;
  }
}
