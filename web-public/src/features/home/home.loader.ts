import type { RegistryStats } from "#contracts/http/analytics.ts";
import type { ReportSummary } from "#contracts/http/report-view.ts";
import type { HabitualOffender } from "#contracts/http/reports.ts";
import { apiContext, type LoaderArgs } from "../../api/client.ts";

const NEWEST_REPORTS = "6";

export interface HomeData {
  /** Null if they couldn't be loaded. */
  readonly newest: readonly ReportSummary[] | null;
  /** The person with the most reports; null if there is none, undefined if it couldn't be loaded. */
  readonly offender: HabitualOffender | null | undefined;
  /** Null if they couldn't be loaded. */
  readonly figures: RegistryStats | null;
}

/** Each part of the home page may fail separately, so the page works even without the registry. */
export async function homeLoader({ context, request }: LoaderArgs): Promise<HomeData> {
  const { signal } = request;
  const api = context.get(apiContext);
  const [newest, offenders, figures] = await Promise.allSettled([
    api.get<ReportSummary[]>("/api/reports/recent", { query: { limit: NEWEST_REPORTS }, signal }),
    api.get<HabitualOffender[]>("/api/habitual-offenders", { query: { limit: "1" }, signal }),
    api.get<RegistryStats>("/api/figures", { signal }),
  ]);
  return {
    newest: newest.status === "fulfilled" ? newest.value : null,
    offender: offenders.status === "fulfilled" ? (offenders.value[0] ?? null) : undefined,
    figures: figures.status === "fulfilled" ? figures.value : null,
  };
}
