import type { ReactNode } from "react";
import { Link } from "react-router-dom";
import type { InquiryKind } from "#contracts/inquiry/inquiry-forms.ts";
import { ANSWER_HOURS, INQUIRY_FORMS } from "#contracts/inquiry/inquiry-forms.ts";
import { PageHead } from "../../components/PageHead.tsx";
import { paths } from "../../config/paths.ts";
import styles from "./InquiryForm.module.css";
import { InquiryForm } from "./InquiryForm.tsx";

function FormPage(props: {
  kind: InquiryKind;
  title: string;
  description: string;
  path: string;
  submit: string;
  children: ReactNode;
}) {
  const { kind, title, description, path, submit } = props;
  return (
    <div className={styles.page}>
      <PageHead title={title} description={description} path={path} />
      <h1 tabIndex={-1}>{title}</h1>
      {props.children}
      <div className={styles.form}>
        <InquiryForm kind={kind} submit={submit} />
      </div>
    </div>
  );
}

/** The DMCA notice form, with what happens after it. */
export function DmcaNoticePage() {
  return (
    <FormPage
      kind="takedown"
      title="DMCA notice"
      description={`Notify us that a report infringes your copyright. ${INQUIRY_FORMS.takedown.promise}`}
      path={paths.dmcaNotice}
      submit="Send the notice"
    >
      <p>
        This form is for copyright only. <Link to={paths.dmca}>The DMCA policy</Link> explains what
        happens next. {INQUIRY_FORMS.takedown.promise} We'll share what the notice says with anyone
        affected.
      </p>
    </FormPage>
  );
}

/** The DMCA counter-notice form, with what happens after it. */
export function DmcaCounterNoticePage() {
  return (
    <FormPage
      kind="counter_notice"
      title="DMCA counter-notice"
      description="Notify us that your material was hidden by mistake."
      path={paths.dmcaCounterNotice}
      submit="Send the counter-notice"
    >
      <p>
        Use this form if we hid something you submitted because of a notice, and you believe that
        was a mistake. <Link to={paths.dmca}>The DMCA policy</Link> explains what happens next:
        unless a court is asked to stop it, the material will be public again after 10 to 14
        business days. We'll give your name and address to the person who sent the notice.
      </p>
    </FormPage>
  );
}

/** The form for law enforcement to request data that isn't public. */
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
