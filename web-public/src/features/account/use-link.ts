import { useState } from "react";
import { useParams } from "react-router-dom";
import { ApiError } from "../../api/client.ts";
import { useAction } from "../../api/use-action.ts";

/**
 * The link of an email, which a button uses.
 * @param failed what the page says where the server says nothing.
 */
export function useLink(failed: string, use: (token: string) => Promise<void>) {
  const { token = "" } = useParams();
  const { isBusy, failure, run } = useAction(failed);
  const [isOver, setOver] = useState(false);
  const press = () =>
    run(() =>
      use(token).catch((error: unknown) => {
        const code = error instanceof ApiError ? error.code : "";
        setOver(code === "link_invalid" || code === "email_taken");
        throw error;
      }),
    );
  return {
    isBusy,
    failure,
    /** Whether the link will never work. */
    isOver,
    press: () => void press(),
  };
}
