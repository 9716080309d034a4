import { ANSWER_HOURS } from "#contracts/inquiry/inquiry-forms.ts";
import { paths } from "../../config/paths.ts";
import { FormPage } from "./FormPage.tsx";

/** Requests of law enforcement for what is kept back. */
export function LawEnforcementPage() {
  return (
    <FormPage
      kind="law_enforcement"
      title="Law enforcement requests"
      description="How agencies can request data that isn't public."
      path={paths.lawEnforcement}
      submit="Send the request"
    >
      <p>
        You don't need a request to see public reports. To request other data, tell us the legal
        authority and the reports concerned. We'll check that the address belongs to the agency, and
        answer within {ANSWER_HOURS} hours. When staff open data for a request, the audit log
        records it.
      </p>
      <p>If someone's life is in danger, say so in the first line of the legal basis.</p>
    </FormPage>
  );
}
