import simpleRestProvider from "ra-data-simple-rest";
import type { DataProvider, Identifier } from "react-admin";
import type { Static } from "typebox";
import type { HistoryReply, ReportState, RevealReply } from "#contracts/http/admin-reports.ts";
import { JOB, type Job } from "#contracts/http/jobs.ts";
import {
  ADMIN_REPORT,
  MODERATION,
  type ModerationBody,
  type ModerationName,
} from "#contracts/http/moderation.ts";
import { QUEUE, type Queue, type Taken } from "#contracts/http/queue.ts";
import { type ResolutionCommandName, resolutionCommand } from "#contracts/http/resolution.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { CopyKind } from "#contracts/report/evidence-rules.ts";
import type { ApiClient, ApiRequest } from "./api-client.ts";
import { ApiError } from "./api-error.ts";
import { exportCalls } from "./export-calls.ts";
import { ListPlaces } from "./list-places.ts";
import { askForProof } from "./observed.ts";
import { ADMIN, otherReads } from "./other-reads.ts";

/** The server's message, if any. */
export interface CommandReply {
  readonly message: string | undefined;
}

type State = Static<typeof ReportState>;

export type ReportHistory = Static<typeof HistoryReply>["data"];
/** The decrypted fields, and the names and sizes of the files. */
export type RevealedReport = Static<typeof RevealReply>["data"];

interface Publication {
  readonly fileId: string;
  readonly kind: CopyKind;
  /** The page of a PDF, starting at 1. */
  readonly page: number | undefined;
  readonly boxes: number;
  readonly picture: Blob;
}

export type ConsoleDataProvider = ReturnType<typeof consoleDataProvider>;

/**
 * Creates the console's data provider on one session's client. Reads use the dialect of ra-data-simple-rest, writes
 * are named commands. Every method throws `ApiError`. A command's promise resolves once the server has executed it.
 */
export function consoleDataProvider(client: ApiClient) {
  const places = new ListPlaces();
  const reads = simpleRestProvider("/prod/admin", async (url: string, options = {}) => {
    const { status, headers, json } = await client.request(places.ask(url), {
      headers: new Headers(options.headers),
      signal: options.signal ?? undefined,
    });
    places.answered(url, headers);
    return { status, headers, body: "", json };
  });
  const whole = (url: string) => (url.startsWith("/prod/") ? url : ADMIN + url);
  /** Reads a path under `/prod/api/admin`, or a full path beginning with `/prod/`. */
  async function read<T>(url: string, request?: ApiRequest) {
    return ((await client.request(whole(url), request)).json as { data: T }).data;
  }
  /** Sends a command. If the server requires the password again, asks for it and retries once. */
  async function send(url: string, method: "POST" | "PUT" | "DELETE", body: object) {
    try {
      return await client.command(whole(url), method, body);
    } catch (error) {
      const isAsked = error instanceof ApiError && error.code === "proof_required";
      if (!isAsked || !(await askForProof())) throw error;
      return client.command(whole(url), method, body);
    }
  }
  /** Sends a named command to a path as in `read`. @returns its data and the server's message. */
  async function command<T>(
    url: string,
    body: object = {},
    method: "POST" | "PUT" | "DELETE" = "POST",
  ): Promise<{ readonly data: T } & CommandReply> {
    const { json } = await send(url, method, body);
    const { data, message } = json as { data: T; message?: string };
    return { data, message };
  }
  const path = (id: Identifier, behind = "") =>
    ADMIN_REPORT.replace(":id", encodeURIComponent(id)) + behind;
  /** Opens a file, which the registry logs first. The file name is the sender's. */
  async function openFile(url: string) {
    const { file, headers } = await send(url, "POST", {});
    if (!file) throw new Error("Couldn't open the file.");
    return new File([file], fileNameOf(headers) ?? "", { type: file.type });
  }
  return {
    ...reads,
    ...otherReads(client, reads),
    read,
    command,
    openFile,
    supportAbortSignal: true,
    ...unused,
    ...exportCalls(client),
    /** The reports waiting for this moderator and those claimed by others. */
    queue: () => read<Queue>(QUEUE),
    /** Claims the first of these reports that no one else has. */
    claimReport: async (reports: readonly string[]) =>
      (await command<Taken>(`${QUEUE}/take`, { reports })).data,
    releaseReport: (report: string) => command(`${QUEUE}/leave`, { report }),
    /** Reads a job's progress, with its lines after a number. Later reads include what it has done. */
    openJob: (id: string, after: number) =>
      read<Job>(`${JOB.replace(":id", encodeURIComponent(id))}?after=${after}`, {
        keepsPosition: true,
      }),
    moderate<N extends ModerationName>(name: N, id: Identifier, body: ModerationBody<N>) {
      const { method, path: behind } = MODERATION[name];
      return command<State>(path(id, behind), body, method);
    },
    openRevealed: (id: Identifier, revealId: string, fileId: string) =>
      openFile(path(id, `/reveals/${revealId}/files/${fileId}`)),
    openEvidence: (id: Identifier, fileId: string) => openFile(path(id, `/evidence/${fileId}`)),
    publishEvidence(id: Identifier, { fileId, kind, page, boxes, picture }: Publication) {
      const query = new URLSearchParams({ kind, boxes: String(boxes) });
      if (page !== undefined) query.set("page", String(page));
      return command<State>(path(id, `/evidence/${fileId}/publish?${query}`), picture);
    },
    hideEvidence: (id: Identifier, copyId: string, reason?: string) =>
      command<State>(path(id, `/evidence/${copyId}/hide`), omitUndefined({ reason })),
    decideResolution: (name: ResolutionCommandName, id: Identifier, body: object) =>
      command<State>(path(id, resolutionCommand(name).path), body),
    /**
     * Reads all events of a report. With `at`, also the report as of that revision; with `against` too, the
     * differences between that revision and `at`.
     */
    async reportHistory(id: Identifier, at?: number, against?: number) {
      const query = new URLSearchParams();
      if (at !== undefined) query.set("at", String(at));
      if (at !== undefined && against !== undefined) query.set("against", String(against));
      const behind = query.size > 0 ? `?${query}` : "";
      return { data: await read<ReportHistory>(`${path(id, "/history")}${behind}`) };
    },
  };
}

/** The console writes with named commands. The dialect's generic verbs would bypass them. */
const refuse = () => Promise.reject(new Error("The console only writes with named commands"));
const unused: Pick<DataProvider, "create" | "update" | "updateMany" | "delete" | "deleteMany"> = {
  create: refuse,
  update: refuse,
  updateMany: refuse,
  delete: refuse,
  deleteMany: refuse,
};

/** Returns the file name of a download (RFC 6266, `filename*`); undefined if there is none. */
export function fileNameOf(headers: Headers): string | undefined {
  const said = headers.get("content-disposition") ?? "";
  const name = /;\s*filename\*=UTF-8''([^;\s]+)/i.exec(said)?.[1];
  if (name === undefined) return undefined;
  try {
    return decodeURIComponent(name);
  } catch {
    return undefined;
  }
}
