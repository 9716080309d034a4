import simpleRestProvider from "ra-data-simple-rest";
import type { DataProvider, Identifier } from "react-admin";
import type { Static } from "typebox";
import { given } from "#contracts/given.ts";
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
import type { CopyKind } from "#contracts/report/evidence-rules.ts";
import type { ApiClient, ApiRequest } from "./api-client.ts";
import { ApiError } from "./api-error.ts";
import { exportCalls } from "./export-calls.ts";
import { ListPlaces } from "./list-places.ts";
import { askForProof } from "./observed.ts";
import { ADMIN, otherReads } from "./other-reads.ts";

/** The server's own sentence, where it has one. */
export interface Said {
  readonly message: string | undefined;
}

type State = Static<typeof ReportState>;

export type ReportHistory = Static<typeof HistoryReply>["data"];
/** Every field in the clear, and the names and sizes of the files. */
export type RevealedReport = Static<typeof RevealReply>["data"];

interface Publication {
  readonly fileId: string;
  readonly kind: CopyKind;
  /** The page of a PDF, from 1. */
  readonly page: number | undefined;
  readonly boxes: number;
  readonly picture: Blob;
}

export type ConsoleDataProvider = ReturnType<typeof consoleDataProvider>;

/**
 * The console's data provider, using one session's client. It reads in the dialect of ra-data-simple-rest, and writes
 * by named commands. Every method throws `ApiError`. When a command's promise resolves, the server has done the command.
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
  /** Reads what is at an address: below `/prod/api/admin`, unless it begins with `/prod/`. */
  async function read<T>(url: string, request?: ApiRequest) {
    return ((await client.request(whole(url), request)).json as { data: T }).data;
  }
  /** Asks for the password where the server wants it shown again, and then sends the command once more. */
  async function send(url: string, method: "POST" | "PUT" | "DELETE", body: object) {
    try {
      return await client.command(whole(url), method, body);
    } catch (error) {
      const isAsked = error instanceof ApiError && error.code === "proof_required";
      if (!isAsked || !(await askForProof())) throw error;
      return client.command(whole(url), method, body);
    }
  }
  /** Sends a named command to such an address. @returns what it says, with the server's sentence. */
  async function command<T>(
    url: string,
    body: object = {},
    method: "POST" | "PUT" | "DELETE" = "POST",
  ): Promise<{ readonly data: T } & Said> {
    const { json } = await send(url, method, body);
    const { data, message } = json as { data: T; message?: string };
    return { data, message };
  }
  const path = (id: Identifier, behind = "") =>
    ADMIN_REPORT.replace(":id", encodeURIComponent(id)) + behind;
  /** Opens a file, which the registry records first. Its name is its sender's. */
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
    /** What waits for this moderator, and what others have. */
    queue: () => read<Queue>(QUEUE),
    /** Takes the first of these reports that no one else has. */
    takeReport: async (reports: readonly string[]) =>
      (await command<Taken>(`${QUEUE}/take`, { reports })).data,
    leaveReport: (report: string) => command(`${QUEUE}/leave`, { report }),
    /** How far a job is, with its lines after a number. Later reads see what it has done. */
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
      command<State>(path(id, `/evidence/${copyId}/hide`), given({ reason })),
    decideResolution: (name: ResolutionCommandName, id: Identifier, body: object) =>
      command<State>(path(id, resolutionCommand(name).path), body),
    /**
     * All events of a report. With `at`, also the report as of that revision; with `against` besides, what
     * differs between that revision and `at`.
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

/** The console writes by named commands. The dialect's generic verbs would bypass them. */
const refuse = () => Promise.reject(new Error("The console writes by named commands only"));
const unused: Pick<DataProvider, "create" | "update" | "updateMany" | "delete" | "deleteMany"> = {
  create: refuse,
  update: refuse,
  updateMany: refuse,
  delete: refuse,
  deleteMany: refuse,
};

/** The name of a file that comes as a download (RFC 6266, `filename*`); undefined where none is said. */
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
