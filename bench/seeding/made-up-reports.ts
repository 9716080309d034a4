import type { SubmitReport } from "#contracts/http/reports.ts";
import { FORM_CHARGEBACK_REASONS } from "#contracts/report/reasons.ts";
import { US_STATES } from "#contracts/report/words.ts";
import type { Random } from "./random.ts";

const FIRST_NAMES = (
  "James Mary Robert Patricia John Jennifer Michael Linda David Elizabeth William Barbara " +
  "Richard Susan Joseph Jessica Thomas Sarah Charles Karen Christopher Lisa Daniel Nancy " +
  "Matthew Betty Anthony Sandra Mark Margaret Donald Ashley Steven Kimberly Andrew Emily Paul " +
  "Donna Joshua Michelle Kenneth Carol Kevin Amanda Brian Melissa Timothy Deborah Ronald " +
  "Stephanie George Rebecca Jason Sharon Edward Laura Jeffrey Cynthia Ryan Dorothy Jacob Amy " +
  "Gary Kathleen Nicholas Angela Eric Shirley Jonathan Emma José Zoë François Małgorzata"
).split(" ");
/** A last name is a beginning and an ending, which makes some thousand different names. */
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
const STREETS = ["Oak Street", "Maple Avenue", "Cedar Lane", "Hill Road", "Second Street"];
const GOODS = (
  "camera,winter tires,gift cards,espresso machine,bicycle,concert tickets,laptop,sofa,hotel stay," +
  "web design,consulting hours,spare parts,jewelry,software licence,catering"
).split(",");
const COMPLAINTS = [
  "Signed for the parcel and disputed the charge two weeks later.",
  "The bank sent the payment back although the service had been used to the end.",
  "Answered no call and no letter after the goods had arrived.",
  "Claimed that the order never came; the carrier has the signature and a photograph.",
  "Agreed to a refund of one half in writing, took it, and disputed the whole amount.",
  "The check was returned twice, and the account turned out to be closed.",
  "Promised to send the money again by the end of the month and did not.",
];

/** The reported person: what two reports about the same person have in common. */
export type MadeUpPerson = Pick<
  SubmitReport,
  "first_name" | "last_name" | "city" | "state" | "zip" | "country"
> &
  Partial<
    Pick<SubmitReport, "email" | "phone" | "street_address" | "first_6" | "last_4" | "bank_account">
  >;

/** @param lastName for a person whose last name must be unique. */
export function makePerson(random: Random, lastName?: string): MadeUpPerson {
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
    country: "US",
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

/** A valid submission about the person: three chargebacks to one bad check. */
export function makeReport(random: Random, person: MadeUpPerson): SubmitReport {
  const { first_6, last_4, bank_account, ...named } = person;
  const goods = random.pick(GOODS);
  const shop = random.integer(1, 900);
  const amount = random.integer(1500, 250_000) / 100;
  const shared = {
    ...named,
    title: `Disputed payment for ${goods}`,
    description: Array.from({ length: random.integer(1, 5) }, () => random.pick(COMPLAINTS)).join(
      " ",
    ),
    currency: random.chance(0.85) ? "USD" : random.pick(["EUR", "GBP", "CAD"] as const),
    ...(random.chance(0.3) ? { other_fees: random.integer(100, 3000) / 100 } : {}),
    ...(random.chance(0.3) ? { notes: random.pick(COMPLAINTS) } : {}),
    reporter_first_name: random.pick(FIRST_NAMES),
    reporter_last_name: `${random.pick(BEGINNINGS)}${random.pick(ENDINGS)}`,
    reporter_email: `office@shop${shop}.example`,
    ...(random.chance(0.6) ? { public_username: `Shop ${shop}` } : {}),
    terms_accepted: true,
  } as const;
  // Earlier than the seeded history, since a report is always about the past.
  const date = `2026-${twoDigits(random.integer(1, 7))}-${twoDigits(random.integer(1, 28))}`;
  if (random.chance(0.25))
    return {
      ...shared,
      report_type: "bad_check",
      check_amount: amount,
      check_date: date,
      check_number: random.digits(4),
      check_reason: random.pick(["nsf", "stop_payment", "account_closed"] as const),
      bank_name: `First Bank of ${person.city}`,
      ...(bank_account ? { bank_account } : {}),
    } as SubmitReport;
  return {
    ...shared,
    report_type: "chargeback",
    amount,
    ...(random.chance(0.7) ? { chargeback_fee: random.integer(15, 35) } : {}),
    transaction_date: date,
    chargeback_reason: random.pick(FORM_CHARGEBACK_REASONS),
    ...(first_6 ? { first_6 } : {}),
    ...(last_4 ? { last_4 } : {}),
    item_purchased: goods,
    shipping_status: random.pick(["shipped", "not_shipped", "digital"] as const),
    ...(random.chance(0.4) ? { tracking_number: `1Z${random.digits(9)}` } : {}),
    ...(random.chance(0.08) ? { chargebacks: [furtherChargeback(random, date)] } : {}),
  } as SubmitReport;
}

function furtherChargeback(random: Random, date: string) {
  return {
    amount: random.integer(1500, 90_000) / 100,
    date,
    reason: random.pick(FORM_CHARGEBACK_REASONS),
    order_id: `A-${random.digits(6)}`,
    first_6: `5${random.digits(5)}`,
    last_4: random.digits(4),
  };
}

function twoDigits(n: number): string {
  return String(n).padStart(2, "0");
}

/** The n-th of any number of last names. No other person here has one of them. */
export function uniqueLastName(n: number): string {
  let letters = "";
  for (let rest = n; letters.length < 5; rest = Math.floor(rest / 20))
    letters += "bcdfghjklmnpqrstvwxz"[rest % 20];
  return `Q${[...letters].map((letter, i) => `${letter}${"aeiou"[(n + i) % 5]}`).join("")}`;
}
