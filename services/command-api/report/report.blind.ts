import type { ReportState } from "#contracts/events/report/report-fold.ts";
import type {
  BlindIndexes,
  PersonalReport,
  ReporterBlindIndexes,
} from "#contracts/events/report/stored-report.ts";
import {
  normaliseAccount,
  normaliseCard,
  normaliseEmail,
  normalisePhone,
  normaliseStreetZip,
  ownAddress,
} from "#search/matching.ts";
import type { BlindIndexer } from "#vault/sealing/hashes.ts";

/** Keyed hashes of values that distinguish people with the same name. Values that distinguish too little get none. */
export function blindIndexes(personal: PersonalReport, index: BlindIndexer): BlindIndexes {
  const { email, phone, country, bank_account, street_address, zip } = personal;
  const cards = [personal, ...personal.chargebacks].map(({ first_6, last_4 }) =>
    first_6 && last_4 ? normaliseCard(first_6, last_4) : null,
  );
  const values: Record<keyof BlindIndexes, (string | null | undefined)[]> = {
    email: [email && normaliseEmail(email)],
    phone: [phone && normalisePhone(phone, country)],
    card: cards,
    bank_account: [bank_account && normaliseAccount(bank_account)],
    street_zip: [street_address && zip && normaliseStreetZip(street_address, zip)],
  };
  const blind: BlindIndexes = {};
  for (const [field, found] of Object.entries(values)) {
    const hashes = new Set(
      found.filter((value) => !!value).map((value) => index(field, value as string)),
    );
    if (hashes.size > 0) blind[field as keyof BlindIndexes] = [...hashes];
  }
  return blind;
}

/** The reporter's address, under its own field, so that it matches no reported person. */
export function reporterBlindIndexes(email: string, index: BlindIndexer): ReporterBlindIndexes {
  return { email: index("reporter_email", ownAddress(email)) };
}

/** The blind index of the reporter's address, if its link or staff vouched for it: anyone can type another's. */
export function vouchedBlind(
  { reporter, verified }: Pick<ReportState, "reporter" | "verified">,
  index: BlindIndexer,
): string | undefined {
  return reporter && verified
    ? reporterBlindIndexes(reporter.reporter_email, index).email
    : undefined;
}

/** Whether two sets of blind indexes are equal. */
export function sameBlind(a: BlindIndexes | null, b: BlindIndexes): boolean {
  return JSON.stringify(ordered(a ?? {})) === JSON.stringify(ordered(b));
}

function ordered(blind: BlindIndexes): [string, string[]][] {
  return Object.entries(blind)
    .map(([field, hashes]) => [field, [...hashes].sort()] as [string, string[]])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}
