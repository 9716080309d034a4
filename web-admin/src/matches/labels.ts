import type { AdminReportDetail, NameDifference } from "#contracts/http/report-view.ts";
import type { SideBySideRow } from "../record/RecordView.tsx";
import { recordFields, type ShownReport } from "../record/record-fields.ts";
import { counted } from "../shared/formats.ts";

/** Labels of fields that two reports can share even though moderators only see them masked or in part. */
const SHARED: Readonly<Record<string, string>> = {
  Email: "email",
  Phone: "phone",
  "Card number": "card",
  "Bank account number": "bank account",
};

const MARKS = { same: "Same", differs: "Differs", unknown: "" } as const;

/** Compares all fields that moderators see, the most visible first. @param shares names from the server. */
export function comparedRows(
  left: ShownReport,
  right: ShownReport,
  shares: readonly string[],
): SideBySideRow[] {
  const [a, b] = [left, right].map((report) => {
    const { texts, facts } = recordFields(report, false);
    return new Map([...facts, ...texts].map(({ label, value }) => [label, String(value)]));
  }) as [Map<string, string>, Map<string, string>];
  return [...new Set([...a.keys(), ...b.keys()])].map((label) => {
    const [one = "", two = ""] = [a.get(label), b.get(label)];
    const isKnown = ![one, two].some((value) => value === "" || value === "Not given");
    const share = SHARED[label];
    // Equal masks may be a coincidence; the index knows whether the values differ.
    const isSame = share ? shares.includes(share) : one === two;
    // Masked or missing values are inconclusive unless they are known to be shared.
    const mark = isKnown ? (isSame ? "same" : "differs") : "unknown";
    return { label, cells: [one, two, MARKS[mark]], mark };
  });
}

type Match = AdminReportDetail["possible_matches"][number];

/** E.g. "email, card, and street with ZIP". */
export function sharedText(shares: readonly string[]): string {
  const words = shares.map((share) => share.replace(" and ", " with "));
  return new Intl.ListFormat("en-US", { type: "conjunction" }).format(words);
}

/** Similarity of names by kind, in equal steps and in the server's order. */
const NEARNESS = { same: 1, nickname: 0.75, sounds_alike: 0.5, letters: 0.25, different: 0 };

/**
 * Returns 0 to 1, consistent with the server's order: each of the five shareable fields weighs as much as the full
 * name.
 */
export function strengthOf({ shares, first_name_differs, last_name_differs }: Match): number {
  const names = NEARNESS[first_name_differs.kind] + NEARNESS[last_name_differs.kind];
  return (shares.length + names / 2) / 6;
}

/** Returns e.g. "Same name", "Different name" or "First name the same, last name 1 letter apart". */
export function namesText({ first_name_differs: first, last_name_differs: last }: Match): string {
  if (first.kind === last.kind && first.kind === "same") return "Same name";
  if (first.kind === last.kind && first.kind === "different") return "Different name";
  return `First name ${words(first)}, last name ${words(last)}`;
}

const WORDS = { same: "the same", nickname: "may be a nickname", different: "different" } as const;

function words({ kind, letters }: NameDifference): string {
  const apart = letters === undefined ? "" : `${counted(letters, "letter", "letters")} apart`;
  if (kind === "letters") return apart;
  if (kind === "sounds_alike") return apart ? `sounds alike (${apart})` : "sounds alike";
  return WORDS[kind];
}
