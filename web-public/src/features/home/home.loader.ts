import type { LoaderFunctionArgs, RouterContextProvider } from "react-router-dom";
import type { RegistryFigures } from "#contracts/http/analytics.ts";
import type { ReportSummary } from "#contracts/http/report-view.ts";
import type { HabitualOffender } from "#contracts/http/reports.ts";
import { apiContext } from "../../api/client.ts";
import { getFigures, getHabitualOffenders, getRecentReports } from "../../api/reads.ts";

const NEWEST_REPORTS = 6;

export interface HomeData {
  /** Null when they could not be loaded. */
  readonly newest: readonly ReportSummary[] | null;
  /**
   * The person with the most reports; null if there is none, undefined if it could not be loaded.
   */
  readonly offender: HabitualOffender | null | undefined;
  /** Null when they could not be loaded. */
  readonly figures: RegistryFigures | null;
}

/** Each part of the home page may fail alone, so the page works even without the registry. */
export async function homeLoader({
  context,
  request,
}: LoaderFunctionArgs<Readonly<RouterContextProvider>>): Promise<HomeData> {
  const api = context.get(apiContext);
  const [newest, offenders, figures] = await Promise.allSettled([
    getRecentReports(api, NEWEST_REPORTS, request.signal),
    getHabitualOffenders(api, 1, request.signal),
    getFigures(api, request.signal),
  ]);
  return {
    newest: newest.status === "fulfilled" ? newest.value : null,
    offender: offenders.status === "fulfilled" ? (offenders.value[0] ?? null) : undefined,
    figures: figures.status === "fulfilled" ? figures.value : null,
  };
}
