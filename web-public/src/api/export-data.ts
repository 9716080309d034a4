import type {
  ExportedAccount,
  ExportFile,
  ExportPage,
  ExportPart,
} from "#contracts/http/account-export.ts";
import { pageLocks, sessionFetch } from "#session-client/session-fetch.ts";
import type { SessionStore } from "#session-client/session-store.ts";
import { type ApiClient, ApiError } from "./client.ts";

type ExportedData = ExportedAccount & { readonly [P in ExportPart]: ExportPage[P] };

/** A file that is downloaded separately. */
export interface ListedFile {
  readonly name: string;
  readonly bytes: number;
  readonly file: ExportFile["file"];
}

/** An export: the data, the files, and a token that opens the files for an hour. */
export interface Export {
  readonly data: ExportedData;
  readonly files: readonly ListedFile[];
  readonly token: string;
}

/**
 * POST /api/auth/export, page by page.
 * @param call makes each call; resolves to undefined if the user canceled.
 * @param onProgress called with the number of reports so far while there are more.
 */
export async function exportData(
  api: ApiClient,
  call: <T>(send: () => Promise<T>) => Promise<T | undefined>,
  onProgress: (reports: number) => void,
  signal: AbortSignal,
): Promise<Export | undefined> {
  const found: Pick<ExportPage, ExportPart> = {
    history: [],
    sessions: [],
    claims: [],
    inquiries: [],
    reports: [],
  };
  const parts = Object.keys(found) as ExportPart[];
  let about: ExportedAccount | undefined;
  let token = "";
  let next: string | null = null;
  do {
    const body: { next?: string } = next === null ? {} : { next };
    const reply = await call(() => api.post<ExportPage>("/api/auth/export", { body, signal }));
    if (!reply) return undefined;
    if (!reply.data) throw new ApiError(0, { code: "garbled" });
    const page = reply.data;
    about ??= page.about;
    token = page.files;
    for (const part of parts) (found[part] as unknown[]).push(...page[part]);
    next = page.next;
    if (next !== null) onProgress(found.reports.length);
  } while (next !== null);
  if (!about) throw new ApiError(0, { code: "garbled" });
  return { data: { ...about, ...found }, files: filesOf(found), token };
}

function filesOf({ reports, inquiries }: Pick<ExportPage, ExportPart>): ListedFile[] {
  return [
    ...reports.flatMap(({ id: report_id, files }) =>
      files.map(({ file_id, name, bytes }) => ({ name, bytes, file: { report_id, file_id } })),
    ),
    ...inquiries.flatMap(({ id: inquiry_id, document }) =>
      document ? [{ name: document.name, bytes: document.bytes, file: { inquiry_id } }] : [],
    ),
  ];
}

/** Enough for a ten-megabyte file over a slow connection. */
const TIMEOUT_MS = 600_000;

/**
 * POST /api/auth/export/file: downloads a file of an export.
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
