import type {
  ExportedAccount,
  ExportedReport,
  ExportPage,
} from "#contracts/http/account-export.ts";
import { type ApiClient, ApiError } from "./client.ts";

/** Everything that the registry stores about the account. */
export type ExportedData = ExportedAccount & { readonly reports: readonly ExportedReport[] };

/**
 * POST /api/auth/export, page by page.
 * @param call makes each of the calls; undefined where the caller gave up.
 * @param onProgress gets the number of reports so far, while there are more.
 */
export async function exportData(
  api: ApiClient,
  call: <T>(send: () => Promise<T>) => Promise<T | undefined>,
  onProgress: (reports: number) => void,
  signal: AbortSignal,
): Promise<ExportedData | undefined> {
  const reports: ExportedReport[] = [];
  let about: ExportedAccount | undefined;
  let next: string | null = null;
  do {
    const body: { next?: string } = next === null ? {} : { next };
    const reply = await call(() => api.post<ExportPage>("/api/auth/export", { body, signal }));
    if (!reply) return undefined;
    if (!reply.data) throw new ApiError(0, { code: "garbled" });
    about ??= reply.data.about;
    reports.push(...reply.data.reports);
    next = reply.data.next;
    if (next !== null) onProgress(reports.length);
  } while (next !== null);
  if (!about) throw new ApiError(0, { code: "garbled" });
  return { ...about, reports };
}
