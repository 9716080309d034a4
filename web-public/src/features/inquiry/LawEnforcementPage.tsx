import { paths } from "../../config/paths.ts";
import { FormPage } from "./FormPage.tsx";

/** Requests of law enforcement for what is kept back. */
export function LawEnforcementPage() {
  return (
    <FormPage
      kind="law_enforcement"
      title="Law enforcement requests"
      description="How agencies ask the registry for data that is not public."
      path={paths.lawEnforcement}
      submit="Send the request"
    >
      <p>
        What is public needs no request. For what is kept back, an agency names the law or order
        under which it asks and the cases concerned. We check that the address belongs to the
        agency, and answer within 24 hours. Staff who open data for a request are recorded in the
        audit log.
      </p>
      <p>In an emergency with danger to life, say so in the first line of the legal basis.</p>
    </FormPage>
  );
}
