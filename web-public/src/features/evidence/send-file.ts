import type { Upload } from "#contracts/http/evidence.ts";
import { UPLOAD_SECRET } from "#contracts/report/evidence-rules.ts";

const UPLOADS = "/prod/api/uploads";

const UNREACHABLE = "We couldn't upload this file because the connection was lost. Try again.";
const FAILED = "We couldn't add this file. Try again in a moment.";

/** Milliseconds without progress after which the connection counts as lost. */
const SILENCE_MS = 45_000;
/** Milliseconds to wait for the response once everything is sent: the server checks the file first. */
const REPLY_MS = 90_000;

/** Keeps a file's secret across retries, including those by the button. */
const secrets = new WeakMap<Blob, string>();

interface Sending {
  /** Called with the share of this attempt that was sent, from 0 to 1. */
  readonly onProgress: (share: number) => void;
  /** Called when the connection is lost; the upload restarts from the beginning. */
  readonly onBroken: () => void;
  readonly signal: AbortSignal;
}

/**
 * Uploads a file with retries, and reports progress. All attempts share one secret, so that the server keeps only
 * the last upload.
 * @throws {FileNotSent} @throws the signal's reason.
 */
export function sendFile(file: Blob, sending: Sending): Promise<Upload> {
  const secret = secrets.get(file) ?? newSecret();
  secrets.set(file, secret);
  return sendAgain(() => sendOnce(file, secret, sending), sending);
}

/** Uses `XMLHttpRequest`, because `fetch` reports no upload progress. */
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

/** Creates a random secret; see {@link UPLOAD_SECRET}. */
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

/** Deletes an upload that no report names. A failure is harmless: the server removes it within a day. */
export async function deleteUpload({ id, secret }: Pick<Upload, "id" | "secret">): Promise<void> {
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

/** Milliseconds before each retry. */
export const RETRY_DELAYS_MS: readonly number[] = [1000, 3000, 8000];

/**
 * Uploads a file, and retries if the connection is lost or the server is unavailable. While the browser is
 * offline, the next attempt waits for the connection.
 * @param attempt sends it once. @param onBroken called before each retry.
 * @throws {FileNotSent} of the last attempt. @throws the signal's reason.
 */
export async function sendAgain<T>(
  attempt: () => Promise<T>,
  options: { readonly signal: AbortSignal; readonly onBroken: () => void },
): Promise<T> {
  for (const wait of [...RETRY_DELAYS_MS, undefined]) {
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

/** Resolves unless the browser is known to be offline, and then once it is online. */
function online(signal: AbortSignal): Promise<void> {
  if (navigator.onLine) return Promise.resolve();
  return new Promise((resolve, reject) => {
    addEventListener("online", () => resolve(), { once: true, signal });
    signal.addEventListener("abort", () => reject(signal.reason));
  });
}

/** A file wasn't accepted. */
export class FileNotSent extends Error {
  override name = "FileNotSent";
  /**
   * `passing`: the connection was lost or the server was unavailable; a retry soon may succeed. `later`: a retry
   * may succeed after a while. `never`: the file was rejected.
   */
  readonly hope: "passing" | "later" | "never";

  constructor(message: string, hope: FileNotSent["hope"]) {
    super(message);
    this.hope = hope;
  }
}
