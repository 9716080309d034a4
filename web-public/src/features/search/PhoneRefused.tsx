import { useEffect, useRef } from "react";
import { Link, useRevalidator } from "react-router-dom";
import { PHONE_NEEDS_ACCOUNT } from "#contracts/http/search-words.ts";
import { paths } from "../../config/paths.ts";
import { useAccount } from "../../session/site-session.ts";
import { signInFor } from "../account/after-sign-in.ts";

/** Says who may search by phone number, and what to do next. @param here address of the search. */
export function PhoneRefused({ here }: { here: string }) {
  const { state } = useAccount();
  const { revalidate } = useRevalidator();
  const hasAsked = useRef(false);
  // The server renders the page without knowing the account.
  useEffect(() => {
    if (state !== "signed_in" || hasAsked.current) return;
    hasAsked.current = true;
    void revalidate();
  }, [state, revalidate]);
  return (
    <>
      <p>{PHONE_NEEDS_ACCOUNT}</p>
      {state === "signed_in" ? (
        <Link to={paths.dashboard}>Confirm your address</Link>
      ) : (
        <Link to={signInFor(here, false)}>Sign in</Link>
      )}
    </>
  );
}
