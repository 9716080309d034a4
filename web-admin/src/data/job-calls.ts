import {
  BULK,
  type BulkBody,
  JOB,
  JOBS,
  type Job,
  type JobSummary,
  type JobsOf,
} from "#contracts/http/jobs.ts";
import type { ApiClient, ApiResponse } from "./api-client.ts";

/** What the console does with work that is longer than a request. */
export interface JobCalls {
  /** Begins to decide many reports. @returns the job's id. */
  startBulk(body: BulkBody): Promise<string>;
  /** How far a job is, with its lines after a number. */
  openJob(id: string, after: number): Promise<Job>;
  /** The newest jobs of a page. */
  newestJobs(of: JobsOf): Promise<readonly JobSummary[]>;
  stopJob(id: string): Promise<void>;
}

/** These calls with one session's client. */
export function jobCalls(client: ApiClient): JobCalls {
  const at = (id: string, behind = "") => JOB.replace(":id", encodeURIComponent(id)) + behind;
  return {
    async startBulk(body) {
      return dataOf<{ job_id: string }>(await client.command(BULK, "POST", body)).job_id;
    },
    async openJob(id, after) {
      // What the job has done is to be seen in the lists that are read next.
      const reply = await client.request(`${at(id)}?after=${after}`, { keepsPosition: true });
      return dataOf<Job>(reply);
    },
    async newestJobs(of) {
      return dataOf<{ jobs: JobSummary[] }>(await client.request(`${JOBS}?of=${of}`)).jobs;
    },
    async stopJob(id) {
      await client.command(at(id, "/stop"), "POST", {});
    },
  };
}

function dataOf<T>(response: ApiResponse): T {
  return (response.json as { data: T }).data;
}
