import { Type } from "typebox";
import { strict } from "../../report/fields.ts";
import { defineEvent } from "../definition.ts";

/** A sign-in failed. Sealed under the month's key, which is destroyed after 90 days. */
export const SignInFailed = defineEvent(
  "SignInFailed",
  1,
  strict({ cause: Type.Enum(["unknown_account", "wrong_password", "inactive_account"]) }),
  {
    security: strict({
      email: Type.String(),
      account_id: Type.Optional(Type.String({ format: "uuid" })),
    }),
  },
);

/** A signed-in account called what its role may not. */
export const CallRefused = defineEvent(
  "CallRefused",
  1,
  strict({
    method: Type.String(),
    /** The route's pattern, never the address that was called. */
    route: Type.String(),
    code: Type.String(),
  }),
  {},
);
