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

/** How a report stands after a command, with the server's own sentence where it has one. */
export interface CommandResult {
  readonly data: Static<typeof ReportState>;
  readonly message: string | undefined;
}

export type ReportHistory = Static<typeof HistoryReply>["data"];
export type Counts = Static<typeof StatusCounts>;

/**
 * Reads in the dialect of ra-data-simple-rest, writes by named commands. Every method throws
 * `ApiError`; a command is done on the server when its promise resolves.
 */
export interface ConsoleDataProvider extends DataProvider {
  approveReport(id: Identifier): Promise<CommandResult>;
  rejectReport(id: Identifier, reason: string): Promise<CommandResult>;
  verifyReport(id: Identifier): Promise<CommandResult>;
  /** Not for `rejected`, which needs a reason: `rejectReport`. */
  setStatus(id: Identifier, status: Exclude<ReportStatus, "rejected">): Promise<CommandResult>;
  /** Only what is named changes; `null` clears. */
  editReport(id: Identifier, edit: EditReport): Promise<CommandResult>;
  deleteReport(id: Identifier, reasonCode: DeletionReason): Promise<CommandResult>;
  /** Every field in the clear. The registry records who looked before it answers. */
  revealReport(id: Identifier): Promise<{ data: FullReport }>;
  /** Every event of a report; with `at` also the report as that revision left it. */
  reportHistory(id: Identifier, at?: number): Promise<{ data: ReportHistory }>;
  /** How many reports have each status, over all of them. */
  statusCounts(): Promise<{ data: Counts }>;
  /** Whether sample reports were loaded that nobody has cleared since. */
  samplesAreLoaded(): Promise<boolean>;
}

/** The console's data provider over one session's client. */
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

/** Writing goes by named commands; the generic verbs of the dialect would bypass them. */
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
