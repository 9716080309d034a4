import { MOST_FILES } from "#contracts/report/evidence-rules.ts";
import type { EvidenceItem } from "./evidence-state.ts";

/** What became of the files of a form, once none is on its way any more. */
export function outcomeInWords(items: readonly EvidenceItem[]): string {
  const count = (state: EvidenceItem["progress"]["state"]) =>
    items.filter(({ progress }) => progress.state === state).length;
  const [stored, failed] = [count("stored"), count("failed")];
  if (stored + failed < items.length) return "Uploading files…";
  return [
    ...(stored > 0 ? [`${inFiles(stored)} added.`] : []),
    ...(failed > 0 ? [`${inFiles(failed)} not added.`] : []),
  ].join(" ");
}

/** Why some of the files that were chosen are not in the list; empty where all are. */
export function leftOutInWords(left: number): string {
  return left > 0 ? `${inFiles(left)} left out. The limit for a report is ${MOST_FILES}.` : "";
}

function inFiles(count: number): string {
  return count === 1 ? "1 file was" : `${count} files were`;
}
