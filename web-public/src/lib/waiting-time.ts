/** Formats a wait, rounded up: "40 seconds", "2 minutes", "3 hours". */
export function formatWait(seconds: number): string {
  if (seconds <= 60) return counted(Math.max(1, Math.ceil(seconds)), "second");
  if (seconds <= 3600) return counted(Math.ceil(seconds / 60), "minute");
  return counted(Math.ceil(seconds / 3600), "hour");
}

function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}
