import { Link } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { FormPage } from "./FormPage.tsx";

/** The form of a DMCA counter-notice. */
export function DmcaCounterNoticePage() {
  return (
    <FormPage
      kind="counter_notice"
      title="DMCA counter-notice"
      description="Tell the registry that your material was hidden by mistake."
      path={paths.dmcaCounterNotice}
      submit="Send the counter-notice"
    >
      <p>
        Use this form if a notice caused us to hide what you submitted, and you believe that this
        was a mistake. <Link to={paths.dmca}>The DMCA policy</Link> explains what happens next:
        unless a court is asked to stop it, the material will be public again after 10 to 14
        business days. We'll give your name and address to the person who sent the notice.
      </p>
    </FormPage>
  );
}
