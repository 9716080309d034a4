import { formatAge, formatBoth, formatClock, formatDay, formatInstant } from "./formats.ts";

const FORMATS = {
  instant: formatInstant,
  day: formatDay,
  clock: formatClock,
  ago: (at: string) => `${formatAge(Math.max(0, Date.now() - Date.parse(at)))} ago`,
} as const;

export interface InstantProps {
  /** As the API writes it: ISO 8601, in UTC. */
  readonly at: string;
  /** How much of it stands in the text. */
  readonly as?: keyof typeof FORMATS;
}

/** An instant in the reader's time zone. Under the pointer, also in UTC, as logs of servers have it. */
export function Instant({ at, as = "instant" }: InstantProps) {
  return (
    <time dateTime={at} title={as === "instant" ? formatInstant(at, "UTC") : formatBoth(at)}>
      {FORMATS[as](at)}
    </time>
  );
}
