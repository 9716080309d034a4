import simpleRestProvider from "ra-data-simple-rest";
import type { DataProvider, Identifier } from "react-admin";
import type { Static } from "typebox";
import { given } from "#contracts/given.ts";
import type { ResetTwoFactor } from "#contracts/http/account.ts";
import type {
  CommandReply,
  HistoryReply,
  ReportState,
  RevealReply,
  StatusCounts,
} from "#contracts/http/admin-reports.ts";
import type {
  Analytics,
  AnalyticsReply,
  Dashboard,
  DashboardReply,
} from "#contracts/http/analytics.ts";
import {
  ADMIN_REPORT,
  MODERATION,
  type ModerationBody,
  type ModerationName,
} from "#contracts/http/moderation.ts";
import type { SamplesReply } from "#contracts/http/reports.ts";
import { type ResolutionCommandName, resolutionCommand } from "#contracts/http/resolution.ts";
import {
  ADMIN_USERS,
  type RevealedUser,
  USER_COMMANDS,
  type UserCommandName,
} from "#contracts/http/users.ts";
import type { CopyKind } from "#contracts/report/evidence-rules.ts";
import type { PeriodName } from "#contracts/report/periods.ts";
import type { ApiClient, ApiResponse } from "./api-client.ts";
import { type AuditCalls, auditCalls } from "./audit-calls.ts";
import { type ExportCalls, exportCalls } from "./export-calls.ts";
import { fileNameOf } from "./file-name.ts";
import { type FilterCalls, filterCalls } from "./filter-calls.ts";
import { type JobCalls, jobCalls } from "./job-calls.ts";
import { ListPlaces } from "./list-places.ts";
import { type NotificationCalls, notificationCalls } from "./notification-calls.ts";
import { ADMIN, otherReads } from "./other-reads.ts";
import { type QueueCalls, queueCalls } from "./queue-calls.ts";
import { type SettingsCalls, settingsCalls } from "./settings-calls.ts";
import { type SystemCalls, systemCalls } from "./system-calls.ts";

/** The server's own sentence, where it has one. */
export interface Said {
  readonly message: string | undefined;
}

/** How a report stands after a command, with the server's own sentence where it has one. */
export interface CommandResult {
  readonly data: Static<typeof ReportState>;
  readonly message: string | undefined;
}

export type ReportHistory = Static<typeof HistoryReply>["data"];
/** Every field in the clear, and the names and sizes of the files. */
export type RevealedReport = Static<typeof RevealReply>["data"];

/** A picture to be published. */
export interface Publication {
  readonly fileId: string;
  readonly kind: CopyKind;
  /** The page of a PDF, from 1. */
  readonly page: number | undefined;
  /** How many boxes were painted over it. */
  readonly boxes: number;
  readonly picture: Blob;
}

export type Counts = StatusCounts;

/**
 * Reads in the dialect of ra-data-simple-rest, and writes by named commands. Every method throws
 * `ApiError`. When a command's promise resolves, the server has done the command.
 */
export interface ConsoleDataProvider
  extends DataProvider,
    AuditCalls,
    ExportCalls,
    FilterCalls,
    JobCalls,
    NotificationCalls,
    QueueCalls,
    SettingsCalls,
    SystemCalls {
  /** Reads what stands at an address, below `/prod/api/admin`. */
  read<T>(path: string): Promise<T>;
  /** Sends a named command to an address below `/prod/api/admin`. @returns what it says, with the server's sentence. */
  command<T = unknown>(
    path: string,
    body?: object,
    method?: "POST" | "PUT" | "DELETE",
  ): Promise<{ readonly data: T } & Said>;
  /** Sends a moderator's command about one report. */
  moderate<N extends ModerationName>(
    name: N,
    id: Identifier,
    body: ModerationBody<N>,
  ): Promise<CommandResult>;
  /** Every field in the clear, and the files. The registry records who looked before it answers. */
  revealReport(id: Identifier): Promise<{ data: RevealedReport }>;
  /** Opens a file below `/prod/api/admin`, which the registry records first. Its name is the sender's. */
  openFile(path: string): Promise<File>;
  /** A file that a reveal has opened, with the name that its reporter gave it. */
  openRevealed(id: Identifier, revealId: string, fileId: string): Promise<File>;
  /** A file of a report, with the name that its reporter gave it. The registry records who looked before it answers. */
  openEvidence(id: Identifier, fileId: string): Promise<File>;
  /** Shows a picture of a file to everybody. */
  publishEvidence(id: Identifier, publication: Publication): Promise<CommandResult>;
  /** Takes a published picture away. */
  hideEvidence(id: Identifier, copyId: string, reason?: string): Promise<CommandResult>;
  /** Sends what staff decide about the RESOLVED banner of a report. */
  decideResolution(
    name: ResolutionCommandName,
    id: Identifier,
    body: object,
  ): Promise<CommandResult>;
  /** Shows the password again. */
  provePassword(password: string): Promise<void>;
  /**
   * All events of a report. With `at`, also the report as of that revision; with `against` besides, what
   * differs between that revision and `at`.
   */
  reportHistory(id: Identifier, at?: number, against?: number): Promise<{ data: ReportHistory }>;
  /** Switches an account's second factor off. @returns the server's sentence. */
  resetFactor(accountId: string, body: Static<typeof ResetTwoFactor>): Promise<string | undefined>;
  /** Sends an admin's command about an account, or adds one. */
  userCommand(name: UserCommandName, id: Identifier | undefined, body: object): Promise<Said>;
  /** What an account tells about itself. The registry records who looked before it answers. */
  revealUser(id: Identifier): Promise<RevealedUser>;
  /** Number of reports by status, over all reports. */
  statusCounts(): Promise<{ data: Counts }>;
  /** What there is, what waits, and the last 30 days. */
  dashboard(): Promise<{ data: Dashboard }>;
  /** Figures of a period that ends today. */
  analytics(period: PeriodName): Promise<{ data: Analytics }>;
  /** Whether sample reports were loaded and not cleared since. */
  samplesAreLoaded(): Promise<boolean>;
  /** Reads what is at an address of the API. */
  ask<T>(url: string): Promise<{ data: T }>;
  /** Sends a command to an address of the API. */
  send<T>(
    url: string,
    method: "POST" | "PUT" | "DELETE",
    body: object,
  ): Promise<{ data: T } & Said>;
}

/** The console's data provider, using one session's client. */
export function consoleDataProvider(client: ApiClient): ConsoleDataProvider {
  const places = new ListPlaces();
  const reads = simpleRestProvider("/prod/admin", async (url: string, options = {}) => {
    const { status, headers, json } = await client.request(places.ask(url), {
      headers: new Headers(options.headers),
      signal: options.signal ?? undefined,
    });
    places.answered(url, headers);
    return { status, headers, body: "", json };
  });
  const path = (id: Identifier, behind = "") =>
    ADMIN_REPORT.replace(":id", encodeURIComponent(id)) + behind;
  const opened = async (url: string) => {
    const { file, headers } = await client.command(url, "POST", {});
    if (!file) throw new Error("The file could not be opened.");
    return new File([file], fileNameOf(headers) ?? "", { type: file.type });
  };
  return {
    ...reads,
    ...otherReads(client, reads),
    async read<T>(url: string) {
      return replyOf<{ data: T }>(await client.request(ADMIN + url)).data;
    },
    async command<T>(url: string, body = {}, method: "POST" | "PUT" | "DELETE" = "POST") {
      const { data, message } = replyOf<{ data: T }>(
        await client.command(ADMIN + url, method, body),
      );
      return { data, message };
    },
    supportAbortSignal: true,
    ...unused,
    ...auditCalls(client),
    ...exportCalls(client),
    ...filterCalls(client),
    ...queueCalls(client),
    ...systemCalls(client),
    ...settingsCalls(client),
    ...jobCalls(client),
    ...notificationCalls(client),
    async moderate(name, id, body) {
      const { method, path: behind } = MODERATION[name];
      const answer = await client.command(path(id, behind), method, body);
      return resultOf(answer);
    },
    async revealReport(id) {
      const reply = await client.command(path(id, "/reveal"), "POST", {});
      return { data: replyOf<{ data: RevealedReport }>(reply).data };
    },
    openFile: (url) => opened(ADMIN + url),
    openRevealed: (id, revealId, fileId) =>
      opened(path(id, `/reveals/${revealId}/files/${fileId}`)),
    openEvidence: (id, fileId) => opened(path(id, `/evidence/${fileId}`)),
    async publishEvidence(id, { fileId, kind, page, boxes, picture }) {
      const query = new URLSearchParams({ kind, boxes: String(boxes) });
      if (page !== undefined) query.set("page", String(page));
      const to = path(id, `/evidence/${fileId}/publish?${query}`);
      return resultOf(await client.command(to, "POST", picture));
    },
    async hideEvidence(id, copyId, reason) {
      const body = given({ reason });
      return resultOf(await client.command(path(id, `/evidence/${copyId}/hide`), "POST", body));
    },
    async decideResolution(name, id, body) {
      const behind = resolutionCommand(name).path;
      const answer = await client.command(path(id, behind), "POST", body);
      const { data, message } = replyOf<Static<typeof CommandReply>>(answer);
      return { data, message };
    },
    async provePassword(password) {
      await client.command("/prod/api/auth/prove", "POST", { password });
    },
    async reportHistory(id, at, against) {
      const query = new URLSearchParams();
      if (at !== undefined) query.set("at", String(at));
      if (at !== undefined && against !== undefined) query.set("against", String(against));
      const behind = query.size > 0 ? `?${query}` : "";
      const reply = await client.request(`${path(id, "/history")}${behind}`);
      return { data: replyOf<{ data: ReportHistory }>(reply).data };
    },
    async resetFactor(accountId, body) {
      const url = `${ADMIN_USERS}/${encodeURIComponent(accountId)}/two-factor/reset`;
      return replyOf(await client.command(url, "POST", body)).message;
    },
    async userCommand(name, id, body) {
      const { method, path: behind } = USER_COMMANDS[name];
      const url = ADMIN_USERS + behind.replace(":id", encodeURIComponent(id ?? ""));
      return { message: replyOf(await client.command(url, method, body)).message };
    },
    async revealUser(id) {
      const url = `${ADMIN_USERS}/${encodeURIComponent(id)}/reveal`;
      return replyOf<{ data: RevealedUser }>(await client.command(url, "POST", {})).data;
    },
    async statusCounts() {
      const reply = await client.request("/prod/api/admin/reports?limit=1");
      return { data: replyOf<{ data: { counts: Counts } }>(reply).data.counts };
    },
    async dashboard() {
      const reply = await client.request("/prod/api/admin/dashboard");
      return { data: replyOf<Static<typeof DashboardReply>>(reply).data };
    },
    async analytics(period) {
      const reply = await client.request(`/prod/api/admin/analytics?period=${period}`);
      return { data: replyOf<Static<typeof AnalyticsReply>>(reply).data };
    },
    async samplesAreLoaded() {
      const reply = await client.request("/prod/api/samples");
      return replyOf<Static<typeof SamplesReply>>(reply).data.loaded;
    },
    async ask<T>(url: string) {
      return { data: replyOf<{ data: T }>(await client.request(url)).data };
    },
    async send<T>(url: string, method: "POST" | "PUT" | "DELETE", body: object) {
      const { data, message } = replyOf<{ data: T }>(await client.command(url, method, body));
      return { data, message };
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

function resultOf(answer: ApiResponse): CommandResult {
  const { data, message } = replyOf<Static<typeof CommandReply>>(answer);
  return { data, message };
}

function replyOf<T>(response: ApiResponse): T & { message?: string } {
  return response.json as T & { message?: string };
}
