import type { Upload } from "#contracts/http/evidence.ts";
import { UPLOAD_SECRET } from "#contracts/report/evidence-rules.ts";

const UPLOADS = "/prod/api/uploads";

/** A file was not taken. */
export class FileNotSent extends Error {
  override name = "FileNotSent";
  /** Whether another attempt makes sense. */
  readonly retryable: boolean;

  constructor(message: string, retryable: boolean) {
    super(message);
    this.retryable = retryable;
  }
}

const UNREACHABLE = "This file did not arrive: the connection broke. Try again.";
const FAILED = "This file could not be added. Try again in a moment.";

/**
 * Sends a file, and tells how far it is. `fetch` tells nothing of what was sent, hence
 * `XMLHttpRequest`.
 * @param onProgress gets a share from 0 to 1.
 * @throws {FileNotSent} @throws the signal's reason.
 */
export function sendFile(
  file: Blob,
  { onProgress, signal }: { onProgress: (share: number) => void; signal: AbortSignal },
): Promise<Upload> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const stop = () => request.abort();
    signal.addEventListener("abort", stop, { once: true });
    const end = (settle: () => void) => {
      signal.removeEventListener("abort", stop);
      settle();
    };
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onProgress(total > 0 ? loaded / total : 0),
    );
    request.addEventListener("load", () => end(() => settleReply(request, resolve, reject)));
    request.addEventListener("error", () => end(() => reject(new FileNotSent(UNREACHABLE, true))));
    request.addEventListener("abort", () => end(() => reject(signal.reason)));
    request.open("POST", `${UPLOADS}?_cb=${Date.now()}`);
    request.setRequestHeader("content-type", "application/octet-stream");
    request.setRequestHeader("accept", "application/json");
    request.send(file);
  });
}

function settleReply(
  request: XMLHttpRequest,
  resolve: (upload: Upload) => void,
  reject: (error: unknown) => void,
): void {
  const reply = parse(request.responseText);
  const retryable = request.status >= 500 || request.status === 408 || request.status === 429;
  if (request.status === 200 && reply?.data) resolve(reply.data);
  else reject(new FileNotSent(reply?.error?.message ?? FAILED, retryable));
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
