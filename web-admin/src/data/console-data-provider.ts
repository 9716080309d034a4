import simpleRestProvider from "ra-data-simple-rest";
import type { DataProvider, Identifier } from "react-admin";
import type { Static } from "typebox";
import { given } from "#contracts/given.ts";
import type {
  CommandReply,
  HistoryReply,
  ReportState,
  RevealReply,
} from "#contracts/http/admin-reports.ts";
import { JOB, type Job } from "#contracts/http/jobs.ts";
import {
  ADMIN_REPORT,
  MODERATION,
  type ModerationBody,
  type ModerationName,
} from "#contracts/http/moderation.ts";
import { QUEUE, type Queue, type Taken } from "#contracts/http/queue.ts";
import { type ResolutionCommandName, resolutionCommand } from "#contracts/http/resolution.ts";
import type { CopyKind } from "#contracts/report/evidence-rules.ts";
import type { ApiClient, ApiResponse } from "./api-client.ts";
import { type ExportCalls, exportCalls } from "./export-calls.ts";
import { fileNameOf } from "./file-name.ts";
import { ListPlaces } from "./list-places.ts";
import { ADMIN, otherReads } from "./other-reads.ts";

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

/**
 * Reads in the dialect of ra-data-simple-rest, and writes by named commands. Every method throws
 * `ApiError`. When a command's promise resolves, the server has done the command.
 */
export interface ConsoleDataProvider extends DataProvider, ExportCalls {
  /** Reads what is at an address: below `/prod/api/admin`, unless it begins with `/prod/`. */
  read<T>(path: string): Promise<T>;
  /** Sends a named command to such an address. @returns what it says, with the server's sentence. */
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
  /** Opens a file below `/prod/api/admin`, which the registry records first. Its name is the sender's. */
  openFile(path: string): Promise<File>;
  /** What waits for this moderator, and what others have. */
  queue(): Promise<Queue>;
  /** Takes the first of these reports that no one else has. */
  takeReport(reports: readonly string[]): Promise<Taken>;
  /** Lets others have a report again. */
  leaveReport(report: string): Promise<void>;
  /** How far a job is, with its lines after a number. Later reads see what it has done. */
  openJob(id: string, after: number): Promise<Job>;
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
  /**
   * All events of a report. With `at`, also the report as of that revision; with `against` besides, what
   * differs between that revision and `at`.
   */
  reportHistory(id: Identifier, at?: number, against?: number): Promise<{ data: ReportHistory }>;
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
  const whole = (url: string) => (url.startsWith("/prod/") ? url : ADMIN + url);
  const opened = async (url: string) => {
    const { file, headers } = await client.command(url, "POST", {});
    if (!file) throw new Error("The file could not be opened.");
    return new File([file], fileNameOf(headers) ?? "", { type: file.type });
  };
  return {
    ...reads,
    ...otherReads(client, reads),
    async read<T>(url: string) {
      return replyOf<{ data: T }>(await client.request(whole(url))).data;
    },
    async command<T>(url: string, body = {}, method: "POST" | "PUT" | "DELETE" = "POST") {
      const { data, message } = replyOf<{ data: T }>(
        await client.command(whole(url), method, body),
      );
      return { data, message };
    },
    supportAbortSignal: true,
    ...unused,
    ...exportCalls(client),
    async queue() {
      return replyOf<{ data: Queue }>(await client.request(QUEUE)).data;
    },
    async takeReport(reports) {
      const reply = await client.command(`${QUEUE}/take`, "POST", { reports });
      return replyOf<{ data: Taken }>(reply).data;
    },
    async leaveReport(report) {
      await client.command(`${QUEUE}/leave`, "POST", { report });
    },
    async openJob(id, after) {
      const url = `${JOB.replace(":id", encodeURIComponent(id))}?after=${after}`;
      return replyOf<{ data: Job }>(await client.request(url, { keepsPosition: true })).data;
    },
    async moderate(name, id, body) {
      const { method, path: behind } = MODERATION[name];
      return resultOf(await client.command(path(id, behind), method, body));
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
      return resultOf(await client.command(path(id, behind), "POST", body));
    },
    async reportHistory(id, at, against) {
      const query = new URLSearchParams();
      if (at !== undefined) query.set("at", String(at));
      if (at !== undefined && against !== undefined) query.set("against", String(against));
      const behind = query.size > 0 ? `?${query}` : "";
      const reply = await client.request(`${path(id, "/history")}${behind}`);
      return { data: replyOf<{ data: ReportHistory }>(reply).data };
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
