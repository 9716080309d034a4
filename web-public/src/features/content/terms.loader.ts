import type { LoaderFunctionArgs, RouterContextProvider } from "react-router-dom";
import { apiContext } from "../../api/client.ts";
import { getSiteFacts } from "../../api/reads.ts";

/** A form does not wait longer for the answer, in milliseconds. */
const WAIT_MS = 2_000;

export interface TermsData {
  /** The terms in force when the form was opened; empty where the registry did not say which. */
  readonly termsVersion: string;
}

/** Which terms somebody agrees to who fills in a form now. A form opens without the answer, too. */
export async function termsLoader({
  context,
  request,
}: LoaderFunctionArgs<Readonly<RouterContextProvider>>): Promise<TermsData> {
  let stop = () => {};
  const late = new Promise<undefined>((resolve) => {
    const timer = setTimeout(resolve, WAIT_MS);
    stop = () => clearTimeout(timer);
  });
  const facts = getSiteFacts(context.get(apiContext), request.signal).catch(() => undefined);
  const answer = await Promise.race([facts, late]);
  stop();
  return { termsVersion: answer?.terms_version ?? "" };
}
