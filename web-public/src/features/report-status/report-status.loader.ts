import type { ReportProgress } from "#contracts/http/unsubscribe.ts";
import { dataOf, loading } from "../../api/client.ts";
import { linkProblem } from "./link-problem.ts";

/** Loads how far the report of the link is, which changes nothing. */
export const reportStatusLoader = loading(
  (api, { params: { token = "" }, request: { signal } }) =>
    dataOf(api.post<ReportProgress>("/api/report-status", { body: { token }, signal })),
  linkProblem,
);
