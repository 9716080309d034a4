import { TERMS_VERSION } from "#contracts/report/words.ts";
import { pdf } from "#pictures/testing/made-files.ts";
import {
  paidMessage,
  StripeStandIn,
  signed,
} from "#services/command-api/testing/stripe.fixture.ts";
import { post } from "../../e2e/support/calls.ts";
import { chargeback } from "../../e2e/support/reports.ts";
import type { StoredSession } from "../../e2e/support/sessions.ts";

const WEBHOOK_SECRET = "whsec_pictures";

/** A mock of Stripe, so that the fee can be paid by card. */
export interface CardPayments {
  /** The registry's settings. */
  readonly env: Readonly<Record<string, string>>;
  /** Expires the page opened last, and notifies the registry as Stripe does. */
  expireLast(url: string): Promise<void>;
  stop(): Promise<void>;
}

export async function openCardPayments(): Promise<CardPayments> {
  const stripe = new StripeStandIn();
  await stripe.start();
  return {
    env: {
      STRIPE_SECRET_KEY: "sk_test_pictures",
      STRIPE_WEBHOOK_SECRET: WEBHOOK_SECRET,
      STRIPE_API_URL: stripe.origin,
    },
    async expireLast(url) {
      const page = stripe.last;
      page.status = "expired";
      const body = paidMessage(page, { type: "checkout.session.expired" });
      const headers = {
        "content-type": "application/json; charset=utf-8",
        "stripe-signature": signed(body, WEBHOOK_SECRET),
      };
      const reply = await fetch(`${url}/prod/api/payments/stripe`, {
        method: "POST",
        headers,
        body,
      });
      if (!reply.ok) throw new Error(`Stripe's message was answered ${reply.status}`);
    },
    stop: () => stripe.stop(),
  };
}

/** Reports whose banner was requested or could be. */
export interface SamplePayments {
  /** Path of the owner's page for the report with an expired payment page. */
  readonly expired: string;
  /** ID of a public report without a request. */
  readonly plainReport: string;
}

/** Publishes reports and requests banners: one letter to review, one expired payment, one paid by check. */
export async function requestSampleBanners(
  url: string,
  cards: CardPayments,
  owner: StoredSession,
  admin: StoredSession,
): Promise<SamplePayments> {
  const ofStaff = (route: string, body: object) => post(url, route, body, admin.token);
  const publish = async (person: object) => {
    const report = { ...chargeback, ...person, terms_version: TERMS_VERSION };
    const { id } = await post<{ id: string }>(url, "/reports/submit", report, owner.token);
    await ofStaff(`/admin/reports/${id}/approve`, {});
    return id;
  };
  const ask = async (id: string) => {
    const file = await post<{ id: string; secret: string }>(url, "/uploads", pdf());
    const letter = { id: file.id, secret: file.secret, name: "letter.pdf" };
    const { resolution } = await post<{ resolution: { request_id: string } }>(
      url,
      `/account/reports/${id}/resolution`,
      { letter, terms_version: TERMS_VERSION },
      owner.token,
    );
    return { request_id: resolution.request_id };
  };
  const accept = async (id: string) => {
    const request = await ask(id);
    await ofStaff(`/admin/reports/${id}/resolution/accept`, request);
    return request;
  };
  const pay = async (id: string) =>
    ofStaff(`/admin/reports/${id}/resolution/payment`, {
      ...(await accept(id)),
      method: "check",
      reference: "Check 1042",
    });

  await ask(await publish({ first_name: "Tess", last_name: "Okafor" }));
  await pay(await publish({ first_name: "Maximiliana", last_name: "Featherstonehaugh" }));
  const expired = await publish({ first_name: "Ned", last_name: "Ostrander" });
  const request = await accept(expired);
  await post(url, `/account/reports/${expired}/resolution/checkout`, request, owner.token);
  await cards.expireLast(url);
  return {
    expired: `/dashboard/reports/${expired}`,
    plainReport: await publish({ first_name: "Ida", last_name: "Vance" }),
  };
}
