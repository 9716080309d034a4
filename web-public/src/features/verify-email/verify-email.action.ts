import { type ActionFunctionArgs, data, type RouterContextProvider } from "react-router-dom";
import { apiContext } from "../../api/api-context.ts";
import { openLink } from "./verify-once.ts";

/** Uses the link for a browser without JavaScript, whose button was pressed. */
export async function verifyEmailAction({
  context,
  params,
}: ActionFunctionArgs<Readonly<RouterContextProvider>>) {
  const api = context.get(apiContext);
  const outcome = await openLink(api, params.token ?? "", api);
  return data(outcome, { status: STATUS[outcome.state] });
}

const STATUS = { verified: 200, already: 200, refused: 400, suspended: 403, failed: 503 } as const;
