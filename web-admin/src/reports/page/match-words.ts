import type { AdminReportDetail, NameDifference } from "#contracts/http/report-view.ts";

type Match = AdminReportDetail["possible_matches"][number];

/** "email, card, and street with ZIP". */
export function sharedText(shares: readonly string[]): string {
  const words = shares.map((share) => share.replace(" and ", " with "));
  return new Intl.ListFormat("en-US", { type: "conjunction" }).format(words);
}

/** "Same name", "Different name", "First name the same, last name 1 letter apart". */
export function namesText({ first_name_differs: first, last_name_differs: last }: Match): string {
  if (first.kind === last.kind && first.kind === "same") return "Same name";
  if (first.kind === last.kind && first.kind === "different") return "Different name";
  return `First name ${words(first)}, last name ${words(last)}`;
}

function words({ kind, letters }: NameDifference): string {
  const apart =
    letters === undefined ? "" : `${letters} ${letters === 1 ? "letter" : "letters"} apart`;
  switch (kind) {
    case "same":
      return "the same";
    case "nickname":
      return "may be a nickname";
    case "sounds_alike":
      return apart ? `sounds alike (${apart})` : "sounds alike";
    case "letters":
      return apart;
    case "different":
      return "different";
  }
}
