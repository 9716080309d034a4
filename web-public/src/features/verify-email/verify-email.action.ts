import { data } from "react-router-dom";
import { type ActionArgs, apiContext } from "../../api/client.ts";
import { proofIn } from "./ConfirmForms.tsx";
import { openLink } from "./open-link.ts";

/** Uses the link for a browser without JavaScript, whose button was pressed. */
export async function verifyEmailAction({ context, params, request }: ActionArgs) {
  const api = context.get(apiContext);
  const by = proofIn(await request.formData());
  const outcome = await openLink(api, params.token ?? "", api, by);
  return data(outcome, { status: STATUS[outcome.state] });
}

const STATUS = {
  verified: 200,
  already: 200,
  refused: 400,
  password: 403,
  suspended: 403,
  failed: 503,
} as const;
