import { Link } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { FormPage } from "./FormPage.tsx";

/** The form of a DMCA notice. */
export function DmcaNoticePage() {
  return (
    <FormPage
      kind="takedown"
      title="DMCA notice"
      description="Tell the registry that a report infringes your copyright. We respond within 48 hours."
      path={paths.dmcaNotice}
      submit="Send the notice"
    >
      <p>
        For copyright only: <Link to={paths.dmca}>the DMCA policy</Link> explains what happens next.
        We respond within 48 hours. We'll tell anyone affected what the notice says.
      </p>
    </FormPage>
  );
}
