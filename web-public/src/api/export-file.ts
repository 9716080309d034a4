import type { ExportFile } from "#contracts/http/account-export.ts";
import { pageLocks, sessionFetch } from "#session-client/session-fetch.ts";
import type { SessionStore } from "#session-client/session-store.ts";
import { ApiError } from "./client.ts";

/** A file of ten megabytes over a slow connection. */
const TIMEOUT_MS = 600_000;

/**
 * POST /api/auth/export/file: a file of an export.
 * @throws {ApiError}
 */
export async function exportFile(
  store: SessionStore,
  body: ExportFile,
  signal: AbortSignal,
): Promise<Blob> {
  const send = sessionFetch({
    fetch: (input, init) => globalThis.fetch(input, init),
    session: store,
    locks: navigator.locks ?? pageLocks(),
    timeoutMs: TIMEOUT_MS,
  });
  try {
    const response = await send("/prod/api/auth/export/file", {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: JSON.stringify(body),
      cache: "no-store",
      signal,
    });
    if (response.ok) return await response.blob();
    const { error } = (await response.json().catch(() => ({}))) as {
      error?: { code?: string; message?: string };
    };
    throw new ApiError(response.status, { code: error?.code, explanation: error?.message });
  } catch (cause) {
    if (signal.aborted || cause instanceof ApiError) throw cause;
    throw new ApiError(0, { code: "unreachable", cause });
  }
}
