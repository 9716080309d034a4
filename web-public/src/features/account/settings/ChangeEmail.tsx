import { useRef, useState } from "react";
import {
  ACCOUNT_DONE,
  ACCOUNT_FAILED,
  ACCOUNT_UNANSWERED,
  EMAIL_UNCHANGED,
} from "#contracts/account/account-messages.ts";
import { ACCOUNT_LINK_HOURS, EMAIL_UNDO_DAYS } from "#contracts/account/deadlines.ts";
import { EMAIL_SENTENCE, isEmail } from "#contracts/account/email.ts";
import { omitUndefined } from "#contracts/omit-undefined.ts";
import type { Problems } from "#contracts/report/submission-rules.ts";
import { useAction } from "../../../api/use-action.ts";
import { Button } from "../../../components/Button.tsx";
import { Failure, Notice } from "../../../components/Notice.tsx";
import { showToast } from "../../../components/toast-store.ts";
import { refreshAccount, useAccountClient, useStore } from "../../../session/session-store-of.ts";
import { AccountForm } from "../AccountPage.tsx";
import { TextField } from "../TextField.tsx";
import { useAccountForm, useFocusInside } from "../use-account-form.ts";
import { type Proof, useProof } from "../use-proof.tsx";
import { SettingsSection } from "./SettingsSection.tsx";

const CHANGE = "/api/auth/change-email";
const EMPTY = { email: "" };

/**
 * The account's address, a form to change it with an emailed link, and the pending change.
 * @param wanted the address awaiting confirmation, as last returned by the server.
 */
export function ChangeEmail({ email, wanted }: { email: string; wanted: string | undefined }) {
  const store = useStore();
  const proof = useProof();
  const heading = useRef<HTMLHeadingElement>(null);
  const [isOpen, setOpen] = useState(false);
  const [asked, setAsked] = useState<string | null>(null);
  const close = (sent: string | null) => {
    setOpen(false);
    setAsked(sent);
    heading.current?.focus();
    if (sent !== null) void refreshAccount(store);
  };
  const kept = () => {
    setAsked(null);
    heading.current?.focus();
  };
  const isSent = asked !== null && asked !== email;
  return (
    <SettingsSection title="Email Address" heading={heading}>
      <p>
        You sign in with <strong>{email}</strong>.
      </p>
      <div role="status">
        {isSent && (
          <Notice tone="success">
            <p>
              We've sent a link to <strong>{asked}</strong>. Open it within {ACCOUNT_LINK_HOURS}{" "}
              hours in a browser where you're signed in. Until then your address stays the same.
            </p>
          </Notice>
        )}
      </div>
      {wanted !== undefined && wanted !== email && (
        <WaitingAddress wanted={wanted} isSaid={isSent} onKept={kept} />
      )}
      {isOpen ? (
        <EmailForm present={email} proof={proof} onClose={close} />
      ) : (
        <div>
          <Button kind="secondary" onClick={() => setOpen(true)}>
            Change Email Address
          </Button>
        </div>
      )}
      {proof.dialog}
    </SettingsSection>
  );
}

function EmailForm(props: {
  present: string;
  proof: Proof;
  onClose: (wanted: string | null) => void;
}) {
  const { present, proof, onClose } = props;
  const api = useAccountClient();
  const form = useAccountForm({
    initial: EMPTY,
    check(values): Problems {
      const email = values.email.trim();
      if (!email) return { email: "Email is a required field" };
      if (email.toLowerCase() === present.toLowerCase()) return { email: EMAIL_UNCHANGED };
      return isEmail(email) ? {} : { email: EMAIL_SENTENCE };
    },
    async send(values) {
      const email = values.email.trim();
      const ask = (code?: string) =>
        api.post(CHANGE, { body: { email, ...omitUndefined({ code }) } });
      if (await proof.run(ask)) onClose(email);
    },
    failed: { refused: ACCOUNT_FAILED.email, unanswered: ACCOUNT_UNANSWERED.email },
  });
  useFocusInside(form);
  return (
    <AccountForm
      form={form}
      submit="Send Confirmation Link"
      sending="Sending…"
      onCancel={() => onClose(null)}
    >
      <TextField
        field={form.field("email")}
        label="New email address"
        type="email"
        autoComplete="email"
        hint={`We'll send a link to it. We'll also notify your current address, which can undo the change for ${EMAIL_UNDO_DAYS} days.`}
        required
      />
    </AccountForm>
  );
}

const FAILED = "We couldn't cancel the change. Please try again.";

/** A new address awaiting confirmation, with a button to cancel the change. */
function WaitingAddress(props: {
  wanted: string;
  /** Whether the page has just said that a link was sent. */
  isSaid: boolean;
  onKept: () => void;
}) {
  const { wanted, isSaid, onKept } = props;
  const store = useStore();
  const api = useAccountClient();
  const { isBusy, failure, run } = useAction(FAILED);

  const withdraw = () =>
    run(async () => {
      await api.delete(CHANGE);
      await refreshAccount(store);
      showToast({ kind: "info", text: ACCOUNT_DONE.emailKept });
      onKept();
    });

  return (
    <>
      {!isSaid && (
        <p>
          A new address is awaiting confirmation: <strong>{wanted}</strong>.
        </p>
      )}
      <Failure text={failure} />
      <div>
        <Button kind="secondary" aria-disabled={isBusy} onClick={() => void withdraw()}>
          Cancel Change
        </Button>
      </div>
    </>
  );
}
