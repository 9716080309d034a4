/** Length of a period in days or calendar months, and the step of its charts. */
export interface Period {
  readonly label: string;
  readonly days?: number;
  readonly months?: number;
  readonly step: "day" | "week" | "month";
}

/** The periods of analytics. All of them end today; days are in UTC. */
export const PERIODS = {
  "7days": { label: "Last 7 days", days: 7, step: "day" },
  "30days": { label: "Last 30 days", days: 30, step: "day" },
  "3months": { label: "Last 3 months", months: 3, step: "week" },
  "6months": { label: "Last 6 months", months: 6, step: "week" },
  "1year": { label: "Last year", months: 12, step: "month" },
} as const satisfies Record<string, Period>;

export type PeriodName = keyof typeof PERIODS;

export const PERIOD_NAMES = Object.keys(PERIODS) as PeriodName[];
export const DEFAULT_PERIOD: PeriodName = "30days";
