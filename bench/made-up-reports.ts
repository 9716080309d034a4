import { randomBytes } from "node:crypto";
import type { SubmitReport } from "#contracts/http/reports.ts";
import { FORM_CHARGEBACK_REASONS } from "#contracts/report/reasons.ts";
import { US_STATES } from "#contracts/report/words.ts";

/** A pseudorandom generator with the same choices on every run. Not for secrets. */
export class Random {
  #state = 1;

  /** 0 to 1, exclusive: Mulberry32 (Tommy Ettinger, public domain). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Returns true with this probability. */
  chance(share: number): boolean {
    return this.next() < share;
  }

  /** An integer from `least` to `most`, inclusive. */
  integer(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(from: readonly T[]): T {
    return from[this.integer(0, from.length - 1)] as T;
  }

  wait(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }

  digits(count: number): string {
    return Array.from({ length: count }, () => this.integer(0, 9)).join("");
  }
}

const FIRST_NAMES = (
  "James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara " +
  "Richard Susan Joseph Jessica Thomas Sarah Charles Karen Christopher Lisa Daniel Nancy " +
  "Matthew Betty Anthony Sandra Mark Margaret Donald Ashley Steven Kimberly Andrew Emily Paul " +
  "Gary Kathleen Nicholas Angela Eric Shirley Jonathan Emma José Zoë François Małgorzata"
).split(" ");
/** A last name is a beginning and an ending, which gives about a thousand names. */
const BEGINNINGS = (
  "Al An Ash Bar Ben Black Brad Bur Cal Car Clay Cole Cran Dal Den Dor Ed El Far Fen Gar Glen " +
  "Gold Gran Had Hal Hart Haw Hol Ing Kel Ken Kir Lan Lin Lock Mar Mel Mor Nor Oak Pem Pres Rad " +
  "Ran Rich Rock Ros Sel Shel Stan Sut Tal Thorn Wal War Wes Whit Win Wood"
).split(" ");
const ENDINGS = (
  "by den er ers ey ford ham ing land ley low man ner ney sey son ton vale ville ward well win " +
  "wood is ett o ez es in i"
).split(" ");
const PLACES = (
  "Denver Reno Tampa Austin Boise Fresno Tucson Omaha Tulsa Wichita Mobile Salem Dayton Laredo " +
  "Durham Madison Spokane Lansing Topeka Savannah Billings Eugene Macon Peoria"
).split(" ");
const STATES = Object.keys(US_STATES);
const DOMAINS = ["mailbox.example", "post.example", "inbox.example", "letters.example"];
const UNUSUAL = "bcdfghjklmnpqrst";
const STREETS = ["Oak Street", "Maple Avenue", "Cedar Lane", "Hill Road", "Second Street"];
const GOODS = "camera,winter tires,gift cards,espresso machine,bicycle,laptop,sofa".split(",");
const COMPLAINTS = [
  "Signed for the parcel and disputed the charge two weeks later.",
  "The bank sent the payment back although the service had been used to the end.",
  "Answered no call and no letter after the goods had arrived.",
];

/** The reported person: the data shared by two reports about the same person. */
export type MadeUpPerson = ReturnType<typeof makePerson>;

/** @param lastName for a person whose last name must be unique. */
export function makePerson(random: Random, lastName?: string) {
  const first_name = random.pick(FIRST_NAMES);
  const last_name = lastName ?? `${random.pick(BEGINNINGS)}${random.pick(ENDINGS)}`;
  const address = `${first_name[0]}.${last_name}${random.integer(1, 9999)}`.toLowerCase();
  const phone = `+1 303 555 ${random.digits(4)}`;
  return {
    first_name,
    last_name,
    city: random.pick(PLACES),
    state: random.pick(STATES),
    zip: random.digits(5),
    country: "US" as const,
    ...(random.chance(0.8) ? { email: `${address}@${random.pick(DOMAINS)}` } : {}),
    ...(random.chance(0.6) ? { phone } : {}),
    ...(random.chance(0.5)
      ? { street_address: `${random.integer(1, 2999)} ${random.pick(STREETS)}` }
      : {}),
    ...(random.chance(0.7) ? { first_6: `4${random.digits(5)}` } : {}),
    last_4: random.digits(4),
    ...(random.chance(0.5) ? { bank_account: random.digits(12) } : {}),
  };
}

/** Returns a valid submission about the person: three chargebacks for each bad check. */
export function makeReport(random: Random, person: MadeUpPerson): SubmitReport {
  const { first_6, last_4, bank_account, ...named } = person;
  const goods = random.pick(GOODS);
  const shop = random.integer(1, 900);
  const amount = random.integer(1500, 250_000) / 100;
  const description = Array.from({ length: random.integer(1, 5) }, () => random.pick(COMPLAINTS));
  const shared = {
    ...named,
    title: `Disputed payment for ${goods}`,
    description: description.join(" "),
    currency: random.chance(0.85) ? "USD" : "EUR",
    reporter_first_name: random.pick(FIRST_NAMES),
    reporter_last_name: `${random.pick(BEGINNINGS)}${random.pick(ENDINGS)}`,
    reporter_email: `office@shop${shop}.example`,
    ...(random.chance(0.6) ? { public_username: `Shop ${shop}` } : {}),
    terms_accepted: true,
  } as const;
  // Earlier than the seeded history, because a report is always about the past.
  const date = `2026-0${random.integer(1, 7)}-${random.integer(10, 28)}`;
  if (random.chance(0.25))
    return {
      ...shared,
      report_type: "bad_check",
      check_amount: amount,
      check_date: date,
      check_number: random.digits(4),
      check_reason: "nsf",
      bank_name: `First Bank of ${person.city}`,
      ...(bank_account ? { bank_account } : {}),
    };
  return {
    ...shared,
    report_type: "chargeback",
    amount,
    transaction_date: date,
    chargeback_reason: random.pick(FORM_CHARGEBACK_REASONS),
    ...(first_6 ? { first_6 } : {}),
    ...(last_4 ? { last_4 } : {}),
    item_purchased: goods,
  };
}

/** Returns a submission about a person whose last name is in no other report, and that name. */
export function uniqueReport(random: Random): { body: SubmitReport; name: string } {
  const letters = [...randomBytes(5).toString("hex")].map((digit) => UNUSUAL[parseInt(digit, 16)]);
  const name = `Q${letters.join("")}`;
  return { body: makeReport(random, makePerson(random, name)), name };
}
