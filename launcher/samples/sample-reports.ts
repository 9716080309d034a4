import type { SubmitReport } from "#contracts/http/reports.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { ReportStatus } from "#contracts/report/words.ts";

/** A made-up report and its status. */
export interface SampleReport {
  /** Must never change: its commands' Idempotency-Keys are derived from it. */
  readonly name: string;
  readonly report: SubmitReport;
  readonly verified: boolean;
  readonly status: ReportStatus;
  readonly reason?: string;
}

type Person = Pick<SubmitReport, "first_name" | "last_name" | "city" | "state" | "zip"> &
  Partial<SubmitReport>;
type Shop = Pick<
  SubmitReport,
  "reporter_first_name" | "reporter_last_name" | "reporter_email" | "public_username"
>;
type Claim = Pick<SubmitReport, "title" | "description"> & Partial<SubmitReport>;

const shops = {
  harbor: shop("Nora", "Lindqvist", "nora@harborlight.example", "Harborlight Audio"),
  cedar: shop("Tomas", "Okafor", "tomas@cedarandpine.example", "Cedar & Pine Outfitters"),
  pixel: shop("Ingrid", "Bell", "billing@pixelforge.example", "Pixelforge Games"),
  bistro: shop("Leo", "Marchetti", "leo@bistromarchetti.example", "Bistro Marchetti"),
  garage: shop("Wanda", "Price", "office@priceautomotive.example", "Price Automotive"),
  // Without a public name, nothing about this reporter is published.
  quiet: shop("Sam", "Whitlock", "sam@whitlock.example", undefined),
};

function shop(first: string, last: string, email: string, publicName: string | undefined): Shop {
  return {
    reporter_first_name: first,
    reporter_last_name: last,
    reporter_email: email,
    ...omitUndefined({ public_username: publicName }),
  };
}

/** Habitual: four reports share an email address and a card. */
const marcus: Person = {
  first_name: "Marcus",
  last_name: "Delgado",
  city: "Tampa",
  state: "FL",
  zip: "33602",
  email: "m.delgado@mailbox.example",
  phone: "+1 813 555 0117",
  first_6: "411111",
  last_4: "9024",
};
/** Habitual: three reports share a street and a phone number. */
const priya: Person = {
  first_name: "Priya",
  last_name: "Venkataraman",
  city: "San Jose",
  state: "CA",
  zip: "95112",
  street_address: "48 Orchard Lane, Apt 5",
  phone: "+1 408 555 0163",
};
/** Shares Marcus's name but not his address or card, so he is not a habitual offender. */
const namesake: Person = {
  first_name: "Marcus",
  last_name: "Delgado",
  city: "Spokane",
  state: "WA",
  zip: "99201",
  email: "marcus.d@postbox.example",
  first_6: "520082",
  last_4: "1178",
};

function person(
  first: string,
  last: string,
  city: string,
  state: string,
  zip: string,
  more: Partial<SubmitReport> = {},
): Person {
  return { first_name: first, last_name: last, city, state, zip, ...more };
}

const TERMS = { terms_accepted: true } as const;

function chargeback(who: Person, by: Shop, claim: Claim & { amount: number }): SubmitReport {
  return {
    report_type: "chargeback",
    last_4: "0000",
    transaction_date: "2026-06-01",
    ...who,
    ...by,
    ...claim,
    ...TERMS,
  };
}

function badCheck(who: Person, by: Shop, claim: Claim & { check_amount: number }): SubmitReport {
  const { first_6: _, last_4: __, ...payer } = who;
  return {
    report_type: "bad_check",
    check_number: "1001",
    bank_name: "Prairie Example Bank",
    check_date: "2026-06-01",
    check_reason: "nsf",
    ...payer,
    ...by,
    ...claim,
    ...TERMS,
  };
}

const approved = (name: string, report: SubmitReport, verified = true): SampleReport => ({
  name,
  report,
  verified,
  status: "approved",
});
const waiting = (name: string, report: SubmitReport, verified: boolean): SampleReport => ({
  name,
  report,
  verified,
  status: "pending",
});
const inReview = (name: string, report: SubmitReport): SampleReport => ({
  name,
  report,
  verified: true,
  status: "under_review",
});
const rejected = (name: string, report: SubmitReport, reason: string): SampleReport => ({
  name,
  report,
  verified: false,
  status: "rejected",
  reason,
});

/** About forty reports in order of submission. All people are fictional. */
export const sampleReports: readonly SampleReport[] = [
  approved(
    "marcus-headphones",
    chargeback(marcus, shops.harbor, {
      title: "Studio headphones disputed after signed delivery",
      description:
        "Ordered two pairs of studio headphones. The carrier has a signature and a photo of the parcel at the door. Three weeks later the buyer told the bank that nothing had arrived.",
      amount: 748,
      chargeback_fee: 25,
      transaction_date: "2026-03-14",
      chargeback_date: "2026-04-09",
      chargeback_reason: "product_not_received",
      shipping_status: "shipped",
      tracking_number: "9400 1118 9922 3817",
    }),
  ),
  approved(
    "lena-dinner",
    chargeback(
      person("Lena", "Kowalczyk", "Chicago", "IL", "60614", { last_4: "3391" }),
      shops.bistro,
      {
        title: "Dinner for eight charged back as unrecognized",
        description:
          "Party of eight, paid by chip and signature. The cardholder later claimed not to know the charge. We hold the signed slip and the booking in the same name.",
        amount: 612.4,
        chargeback_fee: 15,
        transaction_date: "2026-02-21",
        chargeback_reason: "fraudulent",
      },
    ),
  ),
  approved(
    "gordon-tires",
    badCheck(person("Gordon", "Hale", "Tulsa", "OK", "74103"), shops.garage, {
      title: "Check for a set of tires returned unpaid",
      description:
        "Paid for four tires and an alignment by check. The bank returned it for insufficient funds, twice.",
      check_amount: 1184.6,
      other_fees: 35,
      check_number: "2217",
      check_date: "2026-01-30",
    }),
  ),
  approved(
    "marcus-jacket",
    chargeback(marcus, shops.cedar, {
      title: "Winter jacket and boots, refunded by the bank, never sent back",
      description:
        "Claimed that the goods were not as described. We offered a return label on the same day; it was never used.",
      amount: 529.95,
      chargeback_fee: 20,
      transaction_date: "2026-04-02",
      chargeback_date: "2026-05-11",
      chargeback_reason: "product_not_as_described",
      shipping_status: "shipped",
      resolution_status: "in_progress",
    }),
  ),
  approved(
    "sofia-season-pass",
    chargeback(
      person("Sofia", "Brandt", "Austin", "TX", "78704", { last_4: "7710" }),
      shops.pixel,
      {
        title: "Season pass used for two months, then disputed",
        description:
          "The account was active on 51 days after the purchase, from the address that had always been used.",
        amount: 89.99,
        chargeback_fee: 15,
        transaction_date: "2026-04-18",
        chargeback_reason: "services_received",
        shipping_status: "digital",
      },
    ),
  ),
  approved(
    "priya-camera",
    chargeback({ ...priya, first_6: "455636", last_4: "2210" }, shops.harbor, {
      title: "Camera kit reported as never received",
      description:
        "Delivered to the front desk of the building and signed for by name. The serial number was registered for warranty a week later.",
      amount: 1249,
      chargeback_fee: 25,
      other_fees: 12.5,
      transaction_date: "2026-05-03",
      chargeback_date: "2026-06-12",
      chargeback_reason: "product_not_received",
      shipping_status: "shipped",
      tracking_number: "1Z 999 AA1 01 2345 6784",
    }),
  ),
  approved(
    "namesake-repair",
    chargeback(namesake, shops.garage, {
      title: "Brake repair disputed over a duplicate charge",
      description:
        "The customer saw a pre-authorization and a charge and disputed both. The pre-authorization had lapsed by then.",
      amount: 386.2,
      transaction_date: "2026-05-19",
      chargeback_reason: "duplicate_charge",
      resolution_status: "partially_resolved",
    }),
  ),
  approved(
    "helene-boutique",
    chargeback(
      person("Hélène", "Moreau", "Montréal", "QC", "H2X 1Y4", { country: "CA", last_4: "6631" }),
      shops.cedar,
      {
        title: "Tent and stove charged back after a month of use",
        description:
          "Returned to the shop for a pole repair under warranty, after the dispute had been filed as not received.",
        currency: "CAD",
        amount: 742.15,
        chargeback_fee: 30,
        transaction_date: "2026-03-28",
        chargeback_reason: "goods_received",
        shipping_status: "shipped",
      },
    ),
  ),
  approved(
    "oliver-catering",
    badCheck(
      person("Oliver", "Stanhope", "London", "LN", "EC1A 1BB", { country: "UK" }),
      shops.bistro,
      {
        title: "Catering deposit paid by a check on a closed account",
        description:
          "The event took place. The account had been closed two weeks before the check was written.",
        currency: "GBP",
        check_amount: 960,
        other_fees: 18,
        check_number: "000381",
        check_date: "2026-04-25",
        check_reason: "account_closed",
        bank_name: "Thames Example Bank",
      },
    ),
  ),
  approved(
    "jonas-license",
    chargeback(
      person("Jonas", "Feldmann", "Portland", "ME", "04101", { last_4: "5520" }),
      shops.pixel,
      {
        title: "Lifetime license activated on three devices, then disputed",
        description: "All three activations came after the receipt had been opened.",
        currency: "EUR",
        amount: 249,
        chargeback_fee: 20,
        transaction_date: "2026-02-09",
        chargeback_reason: "fraudulent",
        shipping_status: "digital",
      },
    ),
  ),
  approved(
    "marcus-amplifier",
    chargeback(marcus, shops.harbor, {
      title: "Amplifier collected in the shop, charged back as fraud",
      description:
        "Collected in person with a photo ID that matched the card. The same card had been disputed with us in April.",
      amount: 1130,
      chargeback_fee: 25,
      transaction_date: "2026-06-22",
      chargeback_date: "2026-07-15",
      chargeback_reason: "fraudulent",
      chargebacks: [
        {
          order_id: "HL-20418",
          amount: 64.5,
          date: "2026-06-24",
          reason: "fraudulent",
          chargeback_fee: 25,
        },
      ],
    }),
  ),
  approved(
    "bea-furniture",
    badCheck(person("Beatrice", "Nolan", "Boise", "ID", "83702"), shops.cedar, {
      title: "Payment stopped on the check after delivery",
      description: "A garden set was delivered and set up. Payment was stopped the same afternoon.",
      check_amount: 675,
      other_fees: 30,
      check_number: "518",
      check_date: "2026-05-28",
      check_reason: "stop_payment",
      resolution_status: "in_progress",
    }),
  ),
  approved(
    "raj-tickets",
    chargeback(
      person("Rajesh", "Anand", "Edison", "NJ", "08817", { last_4: "4406" }),
      shops.bistro,
      {
        title: "Tasting menu for two, disputed as not provided",
        description: "Both guests signed the guest book. The dispute came 70 days later.",
        amount: 318,
        transaction_date: "2026-03-07",
        chargeback_reason: "general",
        resolution_status: "resolved",
      },
    ),
  ),
  approved(
    "priya-lens",
    chargeback({ ...priya, last_4: "8841" }, shops.quiet, {
      title: "Lens kept after a full refund by the bank",
      description: "Same delivery address as an earlier dispute. The return was promised twice.",
      amount: 640,
      chargeback_fee: 20,
      transaction_date: "2026-07-01",
      chargeback_reason: "credit_not_processed",
      shipping_status: "shipped",
    }),
  ),
  approved(
    "yusuf-console",
    chargeback(
      person("Yusuf", "Demir", "Paterson", "NJ", "07501", { last_4: "9917" }),
      shops.pixel,
      {
        title: "Console bundle claimed as an empty box",
        description:
          "Weight at hand-over and at delivery was the same, 4.1 kg. The console went online two days later.",
        amount: 559,
        chargeback_fee: 15,
        transaction_date: "2026-05-23",
        chargeback_date: "2026-06-30",
        chargeback_reason: "product_not_as_described",
        shipping_status: "shipped",
      },
    ),
    false,
  ),
  approved(
    "carol-florist",
    badCheck(person("Carol", "Whitaker", "Macon", "GA", "31201"), shops.quiet, {
      title: "Wedding flowers paid with a check that bounced",
      description: "Insufficient funds, presented twice. Calls were not returned.",
      check_amount: 1430,
      other_fees: 70,
      check_number: "309",
      check_date: "2026-06-13",
    }),
  ),
  approved(
    "emily-course",
    chargeback(
      person("Emily", "Tran", "Sydney", "NSW", "2000", { country: "AU", last_4: "2032" }),
      shops.pixel,
      {
        title: "Online course completed, certificate issued, then disputed",
        description: "All 24 lessons were finished before the dispute was filed.",
        amount: 399,
        transaction_date: "2026-04-30",
        chargeback_reason: "not_as_described",
        shipping_status: "digital",
      },
    ),
  ),
  approved(
    "victor-wire",
    chargeback(
      person("Victor", "Sandoval", "El Paso", "TX", "79901", { last_4: "6190" }),
      shops.garage,
      {
        title: "Engine rebuild paid by wire, recalled after pick-up",
        description: "The recall was filed an hour after the car had left the yard.",
        amount: 4870.75,
        other_fees: 45,
        transaction_date: "2026-05-08",
        chargeback_reason: "wire_recall",
      },
    ),
  ),
  approved(
    "marcus-speaker",
    chargeback(marcus, shops.quiet, {
      title: "Third dispute of the same buyer within four months",
      description: "Portable speaker, delivered with a signature. Reported as an unknown charge.",
      amount: 219,
      chargeback_fee: 15,
      transaction_date: "2026-07-28",
      chargeback_reason: "fraudulent",
      shipping_status: "shipped",
    }),
  ),
  approved(
    "anneke-prints",
    chargeback(
      person("Anneke", "de Vries", "Holland", "MI", "49423", { last_4: "1523" }),
      shops.quiet,
      {
        title: "Custom prints approved by email, disputed as wrong",
        description: "The proof had been approved in writing, with size and paper.",
        currency: "EUR",
        amount: 180,
        transaction_date: "2026-03-19",
        chargeback_reason: "product_not_as_described",
        shipping_status: "shipped",
        resolution_status: "partially_resolved",
      },
    ),
  ),
  approved(
    "derek-grill",
    badCheck(person("Derek", "Moss", "Omaha", "NE", "68102"), shops.cedar, {
      title: "Check for a grill written on insufficient funds",
      description: "Returned once; the balance was promised for payday and not paid.",
      check_amount: 349.99,
      other_fees: 25,
      check_number: "1190",
      check_date: "2026-07-03",
    }),
  ),
  approved(
    "noor-suit",
    chargeback(
      person("Noor", "Haddad", "Dearborn", "MI", "48126", { last_4: "7345" }),
      shops.cedar,
      {
        title: "Tailored suit charged back after the wedding",
        description: "Altered twice at the customer's wish; worn in the pictures that were posted.",
        currency: "GBP",
        amount: 520,
        chargeback_fee: 20,
        transaction_date: "2026-06-05",
        chargeback_reason: "services_received",
      },
    ),
  ),
  approved(
    "priya-tripod",
    chargeback({ ...priya, last_4: "0912" }, shops.harbor, {
      title: "Tripod delivered to the same address, disputed again",
      description: "The building's front desk signed once more.",
      amount: 175.25,
      chargeback_fee: 25,
      transaction_date: "2026-08-11",
      chargeback_reason: "product_not_received",
      shipping_status: "shipped",
    }),
  ),
  approved(
    "ian-keyboard",
    chargeback(
      person("Ian", "MacLeod", "Halifax", "NS", "B3H 4R2", { country: "CA", last_4: "3108" }),
      shops.harbor,
      {
        title: "Stage keyboard returned with another serial number",
        description: "What came back was a cheaper model in our box.",
        currency: "CAD",
        amount: 1895,
        chargeback_fee: 30,
        transaction_date: "2026-05-30",
        chargeback_reason: "product_not_as_described",
        shipping_status: "shipped",
      },
    ),
  ),
  waiting(
    "bob-drums",
    chargeback(
      person("Robert", "Fenwick", "Nashville", "TN", "37203", { last_4: "5561" }),
      shops.harbor,
      {
        title: "Drum kit reported as not received, seen on stage",
        description: "The kit stands in the pictures of a show one week after the claim.",
        amount: 1640,
        chargeback_fee: 25,
        transaction_date: "2026-08-20",
        chargeback_reason: "product_not_received",
        shipping_status: "shipped",
      },
    ),
    true,
  ),
  waiting(
    "marcus-microphone",
    chargeback({ ...marcus, city: "Clearwater", zip: "33755" }, shops.quiet, {
      title: "Microphone charged back under a known address",
      description: "Same email address as in earlier disputes, new place of delivery.",
      amount: 310,
      transaction_date: "2026-09-02",
      chargeback_reason: "fraudulent",
      shipping_status: "shipped",
    }),
    true,
  ),
  waiting(
    "grace-cake",
    badCheck(person("Grace", "Albright", "Dayton", "OH", "45402"), shops.bistro, {
      title: "Check for a wedding cake returned",
      description: "First return by the bank; the customer has not answered yet.",
      check_amount: 420,
      check_number: "77",
      check_date: "2026-09-05",
    }),
    false,
  ),
  waiting(
    "peter-skis",
    chargeback(person("Peter", "Lund", "Duluth", "MN", "55802", { last_4: "8023" }), shops.cedar, {
      title: "Ski rental extended by phone, extension disputed",
      description: "The call is noted with date and time.",
      amount: 265,
      transaction_date: "2026-02-14",
      chargeback_reason: "general",
    }),
    true,
  ),
  waiting(
    "mia-skins",
    chargeback(
      person("Mia", "Castellano", "Reno", "NV", "89501", { last_4: "4127" }),
      shops.pixel,
      {
        title: "In-game purchases of one evening disputed",
        description: "41 purchases within two hours, from the device that is always used.",
        amount: 205.59,
        transaction_date: "2026-08-29",
        chargeback_reason: "fraudulent",
        shipping_status: "digital",
      },
    ),
    false,
  ),
  waiting(
    "harold-towing",
    badCheck(person("Harold", "Pike", "Amarillo", "TX", "79101"), shops.garage, {
      title: "Towing paid with a check on a closed account",
      description: "The car was released against the check.",
      check_amount: 285,
      other_fees: 35,
      check_number: "4410",
      check_date: "2026-09-10",
      check_reason: "account_closed",
    }),
    true,
  ),
  waiting(
    "dmitri-lamps",
    chargeback(
      person("Dmitri", "Orlov", "Brooklyn", "NY", "11201", { last_4: "6672" }),
      shops.quiet,
      {
        title: "Lamps disputed as damaged without a return",
        description: "No picture of the damage was sent, and no return was accepted.",
        amount: 340,
        transaction_date: "2026-08-01",
        chargeback_reason: "product_not_as_described",
        shipping_status: "shipped",
      },
    ),
    true,
  ),
  inReview(
    "alicia-rental",
    chargeback(
      person("Alicia", "Barnes", "Savannah", "GA", "31401", { last_4: "2904" }),
      shops.harbor,
      {
        title: "Sound system rental disputed after the event",
        description: "The contract is signed; the return was a day late and charged as agreed.",
        amount: 880,
        other_fees: 120,
        transaction_date: "2026-07-19",
        chargeback_reason: "services_received",
      },
    ),
  ),
  inReview(
    "owen-parts",
    badCheck(person("Owen", "Griffith", "Billings", "MT", "59101"), shops.garage, {
      title: "Check for parts stopped over a price dispute",
      description:
        "The customer says that another price was agreed. The estimate is attached to our file.",
      check_amount: 512.3,
      check_number: "861",
      check_date: "2026-08-08",
      check_reason: "stop_payment",
    }),
  ),
  inReview(
    "tessa-boots",
    chargeback(person("Tessa", "Wagner", "Bend", "OR", "97701", { last_4: "1845" }), shops.cedar, {
      title: "Boots disputed twice for one order",
      description:
        "The first dispute was decided in our favor; the second one has the same number.",
      amount: 189.9,
      transaction_date: "2026-05-15",
      chargeback_reason: "duplicate",
      shipping_status: "shipped",
    }),
  ),
  inReview(
    "caleb-server",
    chargeback(person("Caleb", "Strand", "Fargo", "ND", "58102", { last_4: "7730" }), shops.pixel, {
      title: "Game server used for a year, last three months disputed",
      description: "Logs show daily use until the dispute.",
      currency: "EUR",
      amount: 57,
      transaction_date: "2026-06-30",
      chargeback_reason: "services_received",
      shipping_status: "digital",
    }),
  ),
  rejected(
    "kim-coffee",
    chargeback(person("Kim", "Seaver", "Salem", "OR", "97301", { last_4: "5018" }), shops.bistro, {
      title: "Coffee order not paid",
      description: "The customer left without paying.",
      amount: 6.5,
      transaction_date: "2026-07-07",
      chargeback_reason: "other",
    }),
    "This is neither a chargeback nor a bad check.",
  ),
  rejected(
    "larry-insult",
    chargeback(person("Larry", "Quint", "Toledo", "OH", "43604", { last_4: "9640" }), shops.quiet, {
      title: "Bad customer",
      description: "Everybody should know about him.",
      amount: 100,
      transaction_date: "2026-06-18",
      chargeback_reason: "general",
    }),
    "The report does not say what happened. Please describe the transaction.",
  ),
  rejected(
    "rosa-error",
    badCheck(person("Rosa", "Iglesias", "Santa Fe", "NM", "87501"), shops.cedar, {
      title: "Check returned by mistake of the bank",
      description: "The bank has since confirmed its own error and paid.",
      check_amount: 230,
      check_number: "1502",
      check_date: "2026-06-26",
      resolution_status: "resolved",
    }),
    "The bank was at fault, not the person.",
  ),
  rejected(
    "ben-old",
    chargeback(person("Ben", "Arroyo", "Fresno", "CA", "93721", { last_4: "3874" }), shops.garage, {
      title: "Dispute from many years ago",
      description: "A repair in 2009 was disputed.",
      amount: 410,
      transaction_date: "2009-04-03",
      chargeback_reason: "general",
    }),
    "The transaction is too long ago to be checked.",
  ),
];
