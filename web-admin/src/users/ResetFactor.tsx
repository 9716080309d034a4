import Button from "@mui/material/Button";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useGetIdentity, useNotify } from "react-admin";
import type { UserRecord } from "#contracts/http/users.ts";
import { FactorResetDialog } from "../shared/FactorResetDialog.tsx";

/** Switches an account's second factor off, or asks for it where the account is an admin's. */
export function ResetFactor({ user }: { readonly user: UserRecord }) {
  const { identity } = useGetIdentity();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const [isOpen, setIsOpen] = useState(false);
  // Whoever is signed in switches their own off on the site.
  const isOwn = !identity || identity.id === user.id;
  const isShut = user.status === "deactivated" && !user.waiting;
  if (!user.two_factor || isShut || isOwn) return null;
  return (
    <>
      <Button variant="outlined" onClick={() => setIsOpen(true)} sx={{ justifySelf: "start" }}>
        Reset second factor
      </Button>
      {isOpen && (
        <FactorResetDialog
          account={{
            account_id: user.id,
            account_name: `${user.first_name} ${user.last_name}`.trim() || user.email,
          }}
          isAdmin={user.role === "admin"}
          onClose={(said) => {
            setIsOpen(false);
            if (!said) return;
            notify(said, { type: "success" });
            void queryClient.invalidateQueries({ queryKey: ["users"] });
          }}
        />
      )}
    </>
  );
}
