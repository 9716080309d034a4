import type { HabitualOffender } from "#contracts/http/reports.ts";
import type { ApiClient } from "./client.ts";

/** GET /api/habitual-offenders: most reports first. */
export function getHabitualOffenders(
  api: ApiClient,
  limit: number,
  signal?: AbortSignal,
): Promise<HabitualOffender[]> {
  const query = new URLSearchParams({ limit: String(limit) });
  return api.get("/api/habitual-offenders", signal ? { query, signal } : { query });
}
