import { Link } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { FormPage } from "./FormPage.tsx";

/** The form of a DMCA counter-notice. */
export function DmcaCounterNoticePage() {
  return (
    <FormPage
      kind="counter_notice"
      title="DMCA counter-notice"
      description="Tell the registry that your material was taken out of view by mistake."
      path={paths.dmcaCounterNotice}
      submit="Send the counter-notice"
    >
      <p>
        If what you submitted was taken out of view because of a notice, and you believe that this
        was a mistake. <Link to={paths.dmca}>The DMCA policy</Link> says what happens next: unless a
        court is asked to stop it, the material is back after 10 to 14 business days. Whoever sent
        the notice gets your name and address.
      </p>
    </FormPage>
  );
}
