import { describe, expect, it } from "vitest";
import type { ReportEvent } from "#contracts/events/index.ts";
import { evolveReport } from "#contracts/events/report/report-fold.ts";
import { MAX_REQUESTS } from "#contracts/report/resolution.ts";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { givenFor } from "#test-kit/decider.ts";
import {
  evidenceAdded,
  evidenceErased,
  letterAccepted,
  letterRefused,
  paymentAccepted,
  paymentRefunded,
  reportApproved,
  reportDeleted,
  reportErased,
  reporterErased,
  reportResolved,
  reportStatusSet,
  reportSubmitted,
  reportUnresolved,
  resolutionRequested,
  resolutionWithdrawn,
} from "#test-kit/report-events.ts";
import { decideReport } from "../report/report.decider.ts";

const REQUEST = "11111111-1111-4111-8111-111111111111";
const LETTER = "22222222-2222-4222-8222-222222222222";
const PAID = "33333333-3333-4333-8333-333333333333";
const AGAIN = "44444444-4444-4444-8444-444444444444";
const ADMIN = "55555555-5555-4555-8555-555555555555";
const NEW = "66666666-6666-4666-8666-666666666666";

const moment = { now: "2026-11-23T12:00:00.000Z", newId: NEW };
const given = givenFor({ decide: decideReport, evolve: evolveReport, moment });

const stored = {
  id: NEW,
  name: "Rae Holt.pdf",
  type: "application/pdf",
  bytes: 9,
  sha256: "00",
} as const;
const upload = { id: NEW, secret: "", name: "Rae Holt.pdf" };
/** What the log keeps of it: the sender's file name would outlive their erasure. */
const kept = { name: "Notarized letter.pdf", bytes: stored.bytes, sha256: stored.sha256 };
const request = {
  type: "RequestResolution",
  body: { letter: upload, terms_version: TERMS_VERSION },
  letter: stored,
  termsVersion: TERMS_VERSION,
} as const;
const staff = { told: [ADMIN] };
const accept = { type: "AcceptLetter", body: { request_id: REQUEST }, ...staff } as const;
const refuse = {
  type: "RefuseLetter",
  body: { request_id: REQUEST, reason: "No seal." },
  ...staff,
} as const;
const pay = (reference = "Transfer 7", again?: boolean) =>
  ({
    type: "NotePayment",
    body: {
      request_id: REQUEST,
      method: "bank_transfer",
      reference,
      ...(again === undefined ? {} : { again }),
    },
    ...staff,
  }) as const;
const refund = (payment_id: string, reason_code: "double" | "mistaken" = "mistaken") =>
  ({
    type: "RefundPayment",
    body: { payment_id, reason_code, reason: "Asked." },
    ...staff,
  }) as const;
const withdraw = { type: "WithdrawResolution", requestId: REQUEST } as const;

const published = [reportSubmitted(), reportApproved()];
const asked = [...published, ...resolutionRequested(REQUEST, LETTER)];
const accepted = [...asked, letterAccepted(REQUEST)];
const resolved = [...accepted, paymentAccepted(REQUEST, PAID), reportResolved(REQUEST)];

describe("requesting the banner", () => {
  it("stores the letter, with the current fee and terms", () => {
    const { id: file_id, type } = stored;
    given(...published)
      .when(request)
      .gives(
        { type: "EvidenceAdded", data: { file_id, kind: "letter", type, personal: kept } },
        {
          type: "ResolutionRequested",
          data: {
            request_id: NEW,
            file_id,
            amount_cents: 25_000,
            currency: "USD",
            terms_version: TERMS_VERSION,
          },
        },
      );
  });

  it.each([
    ["a pending report", [reportSubmitted()], "report_not_public"],
    [
      "a hidden report",
      [...published, reportStatusSet("under_review", "approved")],
      "report_not_public",
    ],
    ["a deleted report", [...published, reportDeleted()], "report_deleted"],
    ["a report with an open request", asked, "resolution_open"],
    ["a report whose letter is accepted", accepted, "resolution_open"],
    ["a report that shows it", resolved, "resolution_open"],
  ] as [string, ReportEvent[], "report_not_public"][])(
    "is refused for %s",
    (_what, events, code) => {
      given(...events)
        .when(request)
        .isRefused(code);
    },
  );

  it("is refused under outdated terms, even before the letter is checked", () => {
    const { letter: _, ...unread } = request;
    const body = { ...request.body, terms_version: "2020-01-01" };
    given(...published)
      .when({ ...unread, body })
      .isRefused("invalid_request");
  });

  it("is refused with a file that is already evidence, which a withdrawal would erase", () => {
    given(...published, evidenceAdded(NEW))
      .when(request)
      .isRefused("upload_used");
  });

  it("can be repeated after a refusal, a withdrawal or a refund, up to a limit", () => {
    const over: ReportEvent[][] = [
      [...asked, letterRefused(REQUEST)],
      [...asked, resolutionWithdrawn(REQUEST), evidenceErased(LETTER)],
      [...resolved, paymentRefunded(PAID), reportUnresolved(REQUEST)],
    ];
    const { id: file_id, type } = stored;
    for (const events of over)
      given(...events)
        .when(request)
        .gives(
          { type: "EvidenceAdded", data: { file_id, kind: "letter", type, personal: kept } },
          {
            type: "ResolutionRequested",
            data: {
              request_id: NEW,
              file_id,
              amount_cents: 25_000,
              currency: "USD",
              terms_version: TERMS_VERSION,
            },
          },
        );
    const often = Array.from({ length: MAX_REQUESTS }, () => [
      ...resolutionRequested(REQUEST),
      letterRefused(REQUEST),
    ]).flat();
    given(...published, ...often)
      .when(request)
      .isRefused("resolution_closed");
  });
});

describe("withdrawing the request", () => {
  it.each([
    ["before the letter is checked", asked],
    ["before the fee is paid", accepted],
  ])("erases the letter %s", (_when, events) => {
    given(...events)
      .when(withdraw)
      .gives(resolutionWithdrawn(REQUEST), evidenceErased(LETTER));
  });

  it("is refused for a closed request, and for any but the last one", () => {
    given(...asked, letterRefused(REQUEST))
      .when(withdraw)
      .isRefused("resolution_closed");
    given(...resolved)
      .when(withdraw)
      .isRefused("resolution_closed");
    given(...published)
      .when(withdraw)
      .isRefused("not_found");
    given(...published, ...resolutionRequested())
      .when(withdraw)
      .isRefused("not_found");
  });
});

describe("checking the letter", () => {
  it("is decided once, by whoever is first", () => {
    given(...asked)
      .when(accept)
      .gives(letterAccepted(REQUEST));
    given(...asked)
      .when(refuse)
      .gives(letterRefused(REQUEST, "No seal."));
    for (const events of [accepted, [...asked, letterRefused(REQUEST)], resolved]) {
      given(...events)
        .when(accept)
        .isRefused("resolution_closed");
      given(...events)
        .when(refuse)
        .isRefused("resolution_closed");
    }
    given(...asked, resolutionWithdrawn(REQUEST))
      .when(accept)
      .isRefused("resolution_closed");
  });

  it("can't be accepted for a hidden report, but can be refused", () => {
    const hidden = [...asked, reportStatusSet("under_review", "approved")];
    given(...hidden)
      .when(accept)
      .isRefused("report_not_public");
    given(...hidden)
      .when(refuse)
      .gives(letterRefused(REQUEST, "No seal."));
  });
});

describe("recording a payment", () => {
  const paid = (reference: string): ReportEvent => ({
    type: "PaymentAccepted",
    data: { ...paymentAccepted(REQUEST, NEW, reference).data, told: [ADMIN] } as never,
  });

  it("adds the banner to the report", () => {
    given(...accepted)
      .when(pay())
      .gives(paid("Transfer 7"), reportResolved(REQUEST));
  });

  it("requires an accepted letter", () => {
    given(...asked)
      .when(pay())
      .isRefused("resolution_closed");
    given(...asked, letterRefused(REQUEST))
      .when(pay())
      .isRefused("resolution_closed");
    given(...published)
      .when(pay())
      .isRefused("not_found");
  });

  it("is possible while the report is hidden, because the fee was paid", () => {
    given(...accepted, reportStatusSet("under_review", "approved"))
      .when(pay())
      .gives(paid("Transfer 7"), reportResolved(REQUEST));
  });

  it("happens once, unless staff confirm that the fee was paid again", () => {
    given(...resolved)
      .when(pay())
      .isRefused("already_paid");
    given(...resolved)
      .when(pay("Transfer 118", true))
      .isRefused("already_paid");
    given(...resolved)
      .when(pay("Transfer 8", true))
      .gives(paid("Transfer 8"));
  });
});

describe("a refund", () => {
  const refunded = (payment_id: string, reason_code: string): ReportEvent => ({
    type: "PaymentRefunded",
    data: { payment_id, reason_code, told: [ADMIN], personal: { reason: "Asked." } },
  });
  const twice = [...resolved, paymentAccepted(REQUEST, AGAIN, "Transfer 8")];

  it("of the only payment removes the banner", () => {
    given(...resolved)
      .when(refund(PAID))
      .gives(refunded(PAID, "mistaken"), reportUnresolved(REQUEST));
  });

  it("of a double payment keeps it", () => {
    given(...twice)
      .when(refund(AGAIN, "double"))
      .gives(refunded(AGAIN, "double"));
    given(...twice, paymentRefunded(AGAIN, "double"))
      .when(refund(PAID))
      .gives(refunded(PAID, "mistaken"), reportUnresolved(REQUEST));
  });

  it("is refused if never paid, paid only once, or already refunded", () => {
    given(...accepted)
      .when(refund(PAID))
      .isRefused("not_found");
    given(...published)
      .when(refund(PAID))
      .isRefused("not_found");
    given(...resolved)
      .when(refund(AGAIN))
      .isRefused("not_found");
    given(...resolved)
      .when(refund(PAID, "double"))
      .isRefused("invalid_request");
    given(...twice, paymentRefunded(AGAIN, "double"))
      .when(refund(AGAIN, "double"))
      .isRefused("resolution_closed");
    given(...twice, paymentRefunded(AGAIN, "double"))
      .when(refund(PAID, "double"))
      .isRefused("invalid_request");
  });
});

describe("an erasure", () => {
  it("of the reporter ends an open request and erases every letter, but no evidence", () => {
    given(...asked, evidenceAdded(PAID))
      .when({ type: "EraseReporter" })
      .gives(resolutionWithdrawn(REQUEST, "erasure"), evidenceErased(LETTER), reporterErased());
    given(...resolved)
      .when({ type: "EraseReporter" })
      .gives(evidenceErased(LETTER), reporterErased());
  });

  it("of the report erases its letter too", () => {
    given(...asked)
      .when({ type: "EraseReport", reasonCode: "spam" })
      .gives(
        expect.objectContaining({ type: "ReportDeleted" }),
        evidenceErased(LETTER),
        reportErased(),
      );
  });
});
