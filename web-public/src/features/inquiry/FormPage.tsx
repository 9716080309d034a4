import type { ReactNode } from "react";
import type { InquiryKind } from "#contracts/inquiry/inquiry-forms.ts";
import { PageHead } from "../../components/PageHead.tsx";
import styles from "./InquiryForm.module.css";
import { InquiryForm } from "./InquiryForm.tsx";

/** A page that is a form: heading, what it is for, the form. */
export function FormPage(props: {
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
