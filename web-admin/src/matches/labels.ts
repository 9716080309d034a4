import type { AdminReportDetail, NameDifference } from "#contracts/http/report-view.ts";
import type { SideBySideRow } from "../record/RecordView.tsx";
import { recordFields, type ShownReport } from "../record/record-fields.ts";
import { counted } from "../shared/formats.ts";

/** Labels of what two reports can share though moderators see it masked or in part. */
const SHARED: Readonly<Record<string, string>> = {
  Email: "email",
  Phone: "phone",
  "Card number": "card",
  "Bank account number": "bank account",
};

const MARKS = { same: "Same", differs: "Differs", unknown: "" } as const;

/** Every field of the two that moderators see, what is in sight first. @param shares as the server names it. */
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
    // Two masks may be equal by chance; what differs behind them is known from the index.
    const isSame = share ? shares.includes(share) : one === two;
    // What is masked or missing says nothing unless the two are known to share it.
    const mark = isKnown ? (isSame ? "same" : "differs") : "unknown";
    return { label, cells: [one, two, MARKS[mark]], mark };
  });
}

type Match = AdminReportDetail["possible_matches"][number];

/** "email, card, and street with ZIP". */
export function sharedText(shares: readonly string[]): string {
  const words = shares.map((share) => share.replace(" and ", " with "));
  return new Intl.ListFormat("en-US", { type: "conjunction" }).format(words);
}

/** How near names of each kind are, in equal steps as the server orders them. */
const NEARNESS = { same: 1, nickname: 0.75, sounds_alike: 0.5, letters: 0.25, different: 0 };

/** From 0 to 1, in the order of the server: each of the five that can be shared counts as much as the whole name. */
export function strengthOf({ shares, first_name_differs, last_name_differs }: Match): number {
  const names = NEARNESS[first_name_differs.kind] + NEARNESS[last_name_differs.kind];
  return (shares.length + names / 2) / 6;
}

/** "Same name", "Different name", "First name the same, last name 1 letter apart". */
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
