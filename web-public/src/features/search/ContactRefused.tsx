import { useEffect, useRef } from "react";
import { Link, useRevalidator } from "react-router-dom";
import { paths } from "../../config/paths.ts";
import { useAccount } from "../../session/site-session.ts";
import { signInFor } from "../account/after-sign-in.ts";
import styles from "./SearchPage.module.css";

/**
 * Says what it takes to search by email or phone, in the registry's words, and leads there.
 * @param here address of the search.
 */
export function ContactRefused({ here, refusal }: { here: string; refusal: string }) {
  const { state } = useAccount();
  const { revalidate, state: asking } = useRevalidator();
  const askedAt = useRef<string>(null);
  // The server renders the page without knowing the account, and nobody may have been signed in
  // when it was searched.
  useEffect(() => {
    if (state !== "signed_in" || askedAt.current === here) return;
    askedAt.current = here;
    void revalidate();
  }, [state, here, revalidate]);
  // What a visitor is told may not be so for the account.
  if (state === "signed_in" && (askedAt.current !== here || asking === "loading"))
    return <p>Searching…</p>;
  return (
    <div className={state === "unknown" ? styles.guest : undefined}>
      <p>{refusal}</p>
      {state === "signed_in" ? (
        <Link to={paths.dashboard}>Confirm your email</Link>
      ) : (
        <Link to={signInFor(here, false)}>Sign in</Link>
      )}
    </div>
  );
}
