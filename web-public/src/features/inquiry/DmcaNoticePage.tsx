import { Link } from "react-router-dom";
import { INQUIRY_FORMS } from "#contracts/inquiry/inquiry-forms.ts";
import { paths } from "../../config/paths.ts";
import { FormPage } from "./FormPage.tsx";

/** The form of a DMCA notice. */
export function DmcaNoticePage() {
  return (
    <FormPage
      kind="takedown"
      title="DMCA notice"
      description={`Tell the registry that a report infringes your copyright. ${INQUIRY_FORMS.takedown.promise}`}
      path={paths.dmcaNotice}
      submit="Send the notice"
    >
      <p>
        For copyright only: <Link to={paths.dmca}>the DMCA policy</Link> explains what happens next.{" "}
        {INQUIRY_FORMS.takedown.promise} We'll tell anyone affected what the notice says.
      </p>
    </FormPage>
  );
}
