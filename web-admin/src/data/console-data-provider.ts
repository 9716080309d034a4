import simpleRestProvider from "ra-data-simple-rest";
import type { DataProvider, Identifier } from "react-admin";
import type { Static } from "typebox";
import type {
  CommandReply,
  EditReport,
  HistoryReply,
  ReportState,
  StatusCounts,
} from "#contracts/http/admin-reports.ts";
import type { FullReport } from "#contracts/http/report-view.ts";
import type { SamplesReply } from "#contracts/http/samples.ts";
import type { DeletionReason, ReportStatus } from "#contracts/report/words.ts";
import type { ApiClient, ApiResponse } from "./api-client.ts";

const REPORTS = "/prod/api/admin/reports";

/** The report's state after a command, and the server's own sentence if there is one. */
export interface CommandResult {
  readonly data: Static<typeof ReportState>;
  readonly message: string | undefined;
}

export type ReportHistory = Static<typeof HistoryReply>["data"];
export type Counts = Static<typeof StatusCounts>;

/**
 * Reads in the dialect of ra-data-simple-rest, and writes by named commands. Every method throws
 * `ApiError`. When a command's promise resolves, the server has done the command.
 */
export interface ConsoleDataProvider extends DataProvider {
  approveReport(id: Identifier): Promise<CommandResult>;
  rejectReport(id: Identifier, reason: string): Promise<CommandResult>;
  verifyReport(id: Identifier): Promise<CommandResult>;
  /** Not for `rejected`, which needs a reason; see `rejectReport`. */
  setStatus(id: Identifier, status: Exclude<ReportStatus, "rejected">): Promise<CommandResult>;
  /** Changes only the given fields. `null` clears a field. */
  editReport(id: Identifier, edit: EditReport): Promise<CommandResult>;
  deleteReport(id: Identifier, reasonCode: DeletionReason): Promise<CommandResult>;
  /** All fields in the clear. The registry records who asked before it answers. */
  revealReport(id: Identifier): Promise<{ data: FullReport }>;
  /** All events of a report. With `at`, also the report as of that revision. */
  reportHistory(id: Identifier, at?: number): Promise<{ data: ReportHistory }>;
  /** Number of reports by status, over all reports. */
  statusCounts(): Promise<{ data: Counts }>;
  /** Whether sample reports were loaded and not cleared since. */
  samplesAreLoaded(): Promise<boolean>;
}

/** The console's data provider, using one session's client. */
export function consoleDataProvider(client: ApiClient): ConsoleDataProvider {
  const reads = simpleRestProvider("/prod/admin", async (url: string, options = {}) => {
    const { status, headers, json } = await client.request(url, {
      headers: new Headers(options.headers),
      signal: options.signal ?? undefined,
    });
    return { status, headers, body: "", json };
  });
  const path = (id: Identifier, verb = "") => `${REPORTS}/${encodeURIComponent(id)}${verb}`;
  const command = async (
    method: "POST" | "PUT" | "DELETE",
    address: string,
    body: object = {},
  ): Promise<CommandResult> => {
    const reply = replyOf<Static<typeof CommandReply>>(await client.command(address, method, body));
    return { data: reply.data, message: reply.message };
  };
  return {
    ...reads,
    supportAbortSignal: true,
    ...unused,
    approveReport: (id) => command("POST", path(id, "/approve")),
    rejectReport: (id, reason) => command("POST", path(id, "/reject"), { reason }),
    verifyReport: (id) => command("POST", path(id, "/verify")),
    setStatus: (id, status) => command("POST", path(id, "/status"), { status }),
    editReport: (id, edit) => command("PUT", path(id), edit),
    deleteReport: (id, reasonCode) => command("DELETE", path(id), { reason_code: reasonCode }),
    async revealReport(id) {
      const reply = await client.command(path(id, "/reveal"), "POST", {});
      return { data: replyOf<{ data: FullReport }>(reply).data };
    },
    async reportHistory(id, at) {
      const query = at === undefined ? "" : `?at=${at}`;
      const reply = await client.request(`${path(id, "/history")}${query}`);
      return { data: replyOf<{ data: ReportHistory }>(reply).data };
    },
    async statusCounts() {
      const reply = await client.request(`${REPORTS}?limit=1`);
      return { data: replyOf<{ data: { counts: Counts } }>(reply).data.counts };
    },
    async samplesAreLoaded() {
      const reply = await client.request("/prod/api/samples");
      return replyOf<Static<typeof SamplesReply>>(reply).data.loaded;
    },
  };
}

/** The console writes by named commands. The dialect's generic verbs would bypass them. */
const refuse = () => Promise.reject(new Error("The console writes by named commands only"));
const unused = {
  create: refuse,
  update: refuse,
  updateMany: refuse,
  delete: refuse,
  deleteMany: refuse,
};

function replyOf<T>(response: ApiResponse): T & { message?: string } {
  return response.json as T & { message?: string };
}
