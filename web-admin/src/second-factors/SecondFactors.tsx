import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Paper from "@mui/material/Paper";
import Typography from "@mui/material/Typography";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useDataProvider, useGetIdentity, useNotify } from "react-admin";
import type { FactorReset } from "#contracts/http/two-factor.ts";
import { loadFailureText, messageOf } from "../data/api-error.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { ColumnsButton } from "../shared/columns/ColumnsButton.tsx";
import { type Columns, useColumns } from "../shared/columns/use-columns.ts";
import { Delayed } from "../shared/Delayed.tsx";
import { EmptyNote } from "../shared/EmptyNote.tsx";
import { FactorResetDialog } from "../shared/FactorResetDialog.tsx";
import { Instant } from "../shared/Instant.tsx";
import { useProof } from "../shared/use-proof.tsx";

const KEY = ["factor-resets"];
const ADMINS = ["protected-admins"];
const COLUMNS = ["Asked by", "Takes effect", "Reason"] as const;
type Shown = Columns<(typeof COLUMNS)[number]>;
const FAILED = "That could not be done. Please try again.";

/** Second factors of admins that are to be switched off, which a second admin confirms or objects to. */
export function SecondFactors() {
  const provider = useDataProvider<ConsoleDataProvider>();
  const notify = useNotify();
  const proof = useProof();
  const columns = useColumns("second-factors", COLUMNS);
  const [running, setRunning] = useState(false);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: KEY,
    queryFn: async () => (await provider.factorResets()).data,
    retry: false,
  });

  const admins = useQuery({
    queryKey: ADMINS,
    queryFn: async () => (await provider.protectedAdmins()).data,
    retry: false,
  });
  const [isAsking, setAsking] = useState(false);
  async function asked(said?: string) {
    setAsking(false);
    if (!said) return;
    notify(said, { type: "success" });
    await refetch();
  }

  async function answer(what: "confirm" | "object", to: FactorReset) {
    if (running) return;
    setRunning(true);
    try {
      const said = await proof.run(() => provider.answerFactorReset(what, to));
      if (said) notify(said, { type: "success" });
    } catch (failure) {
      notify(messageOf(failure, FAILED), { type: "error" });
    } finally {
      setRunning(false);
      await refetch();
    }
  }

  return (
    <Paper sx={{ border: 1, borderColor: "divider" }}>
      <Box sx={{ p: 2 }}>
        <ColumnsButton columns={columns} />
      </Box>
      {isPending && (
        <Delayed>
          <LinearProgress aria-label="Loading requests" />
        </Delayed>
      )}
      {error && (
        <Alert
          severity="error"
          action={
            <Button color="inherit" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        >
          {loadFailureText("requests", error)}
        </Alert>
      )}
      {data?.length === 0 && (
        <EmptyNote title="No open requests">
          <Typography>
            Requests to switch off two-factor sign-in of an admin stand here until a second admin
            confirms them, somebody objects, or 24 hours are over.
          </Typography>
        </EmptyNote>
      )}
      {data && data.length > 0 && (
        <Box component="ul" aria-label="Requests" sx={{ m: 0, p: 0, listStyle: "none" }}>
          {data.map((request) => (
            <Request
              key={request.request_id}
              request={request}
              columns={columns}
              running={running}
              onAnswer={answer}
            />
          ))}
        </Box>
      )}
      {admins.error && (
        <Alert
          severity="error"
          action={
            <Button color="inherit" onClick={() => void admins.refetch()}>
              Try again
            </Button>
          }
        >
          {loadFailureText("the admins who can be asked for", admins.error)}
        </Alert>
      )}
      {admins.data && (
        <Box
          sx={{
            borderTop: 1,
            borderColor: "divider",
            p: 2,
            display: "grid",
            gap: 1,
            justifyItems: "start",
          }}
        >
          {admins.data.length > 0 ? (
            <Button variant="outlined" onClick={() => setAsking(true)}>
              Ask for a reset
            </Button>
          ) : (
            <Typography color="text.secondary">
              No other admin has a second factor, so there is none to reset.
            </Typography>
          )}
        </Box>
      )}
      {isAsking && admins.data && (
        <FactorResetDialog admins={admins.data} onClose={(said) => void asked(said)} />
      )}
      {proof.dialog}
    </Paper>
  );
}

function Request(props: {
  request: FactorReset;
  columns: Shown;
  running: boolean;
  onAnswer: (what: "confirm" | "object", to: FactorReset) => Promise<void>;
}) {
  const { request, columns, running, onAnswer } = props;
  const { identity } = useGetIdentity();
  const { account_name, requested_by_name, reason, effective_at } = request;
  // The server decides again; a button that it would refuse is not offered.
  const isInvolved = [request.requested_by, request.account_id].includes(String(identity?.id));
  return (
    <Box
      component="li"
      sx={{ p: 2, display: "grid", gap: 1, borderTop: 1, borderColor: "divider" }}
    >
      <Typography variant="h2">{account_name || "An admin"}</Typography>
      {columns.shows("Asked by") && (
        <Typography>
          {requested_by_name || "An admin"} asked to switch two-factor sign-in off.
        </Typography>
      )}
      {columns.shows("Takes effect") && (
        <Typography>
          It is switched off on <Instant at={effective_at} /> if nobody objects.
        </Typography>
      )}
      {columns.shows("Reason") && (
        <Typography sx={{ overflowWrap: "anywhere" }}>Reason: {reason || "erased"}</Typography>
      )}
      {isInvolved && (
        <Typography color="text.secondary">
          Another admin has to confirm this. You can object.
        </Typography>
      )}
      <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
        {!isInvolved && (
          <Button
            variant="contained"
            aria-disabled={running}
            onClick={() => void onAnswer("confirm", request)}
          >
            Confirm
          </Button>
        )}
        <Button
          variant="outlined"
          aria-disabled={running}
          onClick={() => void onAnswer("object", request)}
        >
          Object
        </Button>
      </Box>
    </Box>
  );
}
