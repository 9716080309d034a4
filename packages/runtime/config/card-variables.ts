import { Type } from "typebox";
import { sensible } from "./schemas.ts";
import { webOriginProblem } from "./value-problems.ts";
import type { Variable } from "./variable.ts";

/** Access to Stripe, where the fee of the RESOLVED banner can be paid by card. */
export const cardVariables = {
  STRIPE_SECRET_KEY: {
    schema: Type.Optional(
      Type.String({
        pattern: "^(sk|rk)_(test|live)_[A-Za-z0-9]{3,300}$",
        must: "be a secret or restricted key of Stripe, sk_... or rk_...",
        secret: true,
      }),
    ),
    meaning:
      "key of a Stripe account, for card payments of the RESOLVED fee ([how](runbooks/card-payments.md)). Needs `STRIPE_WEBHOOK_SECRET`, and `PUBLIC_URL` in a separate process",
    readBy: ["launcher", "command-api"],
    otherwise: "no cards; staff record payments by hand",
  },
  STRIPE_WEBHOOK_SECRET: {
    schema: Type.Optional(
      Type.String({
        pattern: "^whsec_[A-Za-z0-9+/=_-]{3,300}$",
        must: "be the signing secret of an endpoint at Stripe, whsec_...",
        secret: true,
      }),
    ),
    meaning: "signing secret of the endpoint that receives Stripe's messages",
    readBy: ["launcher", "command-api"],
    otherwise: "none",
  },
  STRIPE_API_URL: {
    schema: Type.Optional(sensible(webOriginProblem)),
    meaning:
      "`http://` address of a test server with Stripe's interface, such as stripe-mock. Only with a test key",
    readBy: ["launcher", "command-api"],
    otherwise: "Stripe's own",
  },
} as const satisfies Record<string, Variable>;
