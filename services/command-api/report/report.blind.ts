import { isDeepStrictEqual } from "node:util";
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

/** Keyed hashes of values that distinguish people with the same name. Values that are too common are not indexed. */
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

/** Blind index of the reporter's address, under its own field name so that it never matches a reported person. */
export function reporterBlindIndexes(email: string, index: BlindIndexer): ReporterBlindIndexes {
  return { email: index("reporter_email", ownAddress(email)) };
}

/** The reporter's blind index if a link or staff verified the address, since anyone can type someone else's. */
export function vouchedBlind(
  { reporter, verified }: Pick<ReportState, "reporter" | "verified">,
  index: BlindIndexer,
): string | undefined {
  return reporter && verified
    ? reporterBlindIndexes(reporter.reporter_email, index).email
    : undefined;
}

/** Compares blind indexes; the order of their fields and hashes does not matter. */
export function sameBlind(a: BlindIndexes | null, b: BlindIndexes): boolean {
  return isDeepStrictEqual(asSets(a ?? {}), asSets(b));
}

function asSets(blind: BlindIndexes) {
  return new Map(Object.entries(blind).map(([field, hashes]) => [field, new Set(hashes)]));
}
