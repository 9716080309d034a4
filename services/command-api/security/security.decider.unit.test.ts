import { expect, it } from "vitest";
import { givenFor } from "#test-kit/decider.ts";
import { decideSecurity } from "./security.decider.ts";

const given = givenFor({ decide: decideSecurity, evolve: () => true as const, moment: undefined });

const signIn = { type: "SignIn", email: "dana@registry.example" } as const;
const accountId = "11111111-1111-4111-8111-111111111111";

it.each(["wrong_password", "inactive_account", "link_required"] as const)(
  "records a failed sign-in to an account: %s",
  (refused) => {
    const security = { email: signIn.email, account_id: accountId };
    const noted = { type: "SignInFailed", data: { cause: refused, security } } as const;
    given()
      .when({ ...signIn, accountId, refused })
      .gives(noted);
  },
);

it.each([
  ["unknown_account", "wrong_password"],
  ["link_required", "link_required"],
] as const)("records a failed sign-in to an unknown address: %s", (cause, refused) => {
  const { events } = given().when({ ...signIn, refused });
  // Without an account ID, the field is absent, not empty.
  expect(events).toStrictEqual([
    { type: "SignInFailed", data: { cause, security: { email: signIn.email } } },
  ]);
});

const call = { method: "POST", route: "/prod/api/admin/reports/:id/approve" };
const refuse = { type: "RefuseCall", ...call, count: 2 } as const;

it.each(["user", "admin", "auditor"] as const)("records a refused call by the role %s", (role) => {
  const code = "forbidden";
  given()
    .when({ ...refuse, role, code })
    .gives({ type: "CallRefused", data: { ...call, code, count: 2 } });
});

it("does not record a visitor's refused call", () => {
  given()
    .when({ ...refuse, role: "visitor", code: "not_authenticated" })
    .gives();
});
