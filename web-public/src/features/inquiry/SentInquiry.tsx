import { useEffect, useRef } from "react";
import { type InquiryKind, inquiryForms } from "#contracts/inquiry/inquiry-forms.ts";
import type { OpenedCase } from "../../api/inquiries.ts";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";

/** What happens next, once a form is sent. It takes the focus. */
export function SentInquiry(props: { kind: InquiryKind; sent: OpenedCase; onAnother: () => void }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  const { number, promise } = props.sent;
  return (
    <>
      <Notice tone="success">
        <h2 ref={heading} tabIndex={-1}>
          {inquiryForms[props.kind].title} {number}
        </h2>
        <p>We've received it. {promise}</p>
        <p>We've emailed you this number. Please include it when you write to us.</p>
      </Notice>
      <p>
        <Button kind="secondary" onClick={props.onAnother}>
          Send another
        </Button>
      </p>
    </>
  );
}
