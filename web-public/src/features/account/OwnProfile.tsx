import { useEffect, useRef, useState } from "react";
import { ACCOUNT_DONE } from "#contracts/account/account-words.ts";
import type { User } from "#contracts/http/auth.ts";
import { Notice } from "../../components/Notice.tsx";
import { refreshAccount, storeOf } from "../../session/session-store-of.ts";
import { useSiteSession } from "../../session/site-session.ts";
import { ProfileForm } from "./ProfileForm.tsx";
import { ProfileView } from "./ProfileView.tsx";
import { keptDraft } from "./profile-draft.ts";

/** What an account says of itself: to see, and to edit. */
export function OwnProfile({ user }: { user: User }) {
  const session = useSiteSession();
  const [mode, setMode] = useState<"view" | "edit" | "saved">(keptDraft(user.id) ? "edit" : "view");
  const view = useRef<HTMLDivElement>(null);
  const wasEditing = useRef(false);
  useEffect(() => void refreshAccount(storeOf(session)), [session]);
  // The button that was pressed is gone, and with it the focus.
  useEffect(() => {
    if (mode !== "edit" && wasEditing.current) view.current?.querySelector("button")?.focus();
    wasEditing.current = mode === "edit";
  }, [mode]);
  if (mode === "edit") return <ProfileForm user={user} onClose={setMode} />;
  return (
    <>
      {mode === "saved" && (
        <Notice tone="success" role="status">
          <p>{ACCOUNT_DONE.profile}</p>
        </Notice>
      )}
      <div ref={view}>
        <ProfileView user={user} onEdit={() => setMode("edit")} />
      </div>
    </>
  );
}
