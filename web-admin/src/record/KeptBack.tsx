import LockIcon from "@mui/icons-material/LockOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useNotify } from "react-admin";
import { color } from "#theme/color.ts";
import { messageOf } from "../data/api-error.ts";
import type { RevealedReport } from "../data/console-data-provider.ts";
import { KeyHint } from "../shared/parts.tsx";
import { useProvider } from "../shared/reads.ts";

interface KeptBackProps {
  readonly reveal: Reveal;
  /** Whether revealed data can be hidden again; not while a form contains it. */
  readonly canHide?: boolean;
  readonly hint?: string | undefined;
}

/** Shows that data is hidden, and reveals it. */
export function HiddenData({ reveal, canHide = true, hint }: KeptBackProps) {
  const { full, running, open, hide } = reveal;
  return (
    <Box
      component="section"
      aria-label="Hidden data"
      sx={{
        display: "flex",
        columnGap: 1,
        alignItems: "center",
        px: 2,
        py: { xs: 1, sm: 0.25 },
        bgcolor: color.privateTint,
        borderTop: `1px solid ${color.privateLine}`,
      }}
    >
      <LockIcon sx={{ color: color.private, fontSize: 20 }} />
      <Typography sx={{ flex: 1, py: 1 }}>
        {full
          ? `Hidden data is visible${canHide ? ", highlighted" : " in the form"}. This view is recorded.`
          : "Some data is hidden or masked. Revealing it is recorded."}
      </Typography>
      {full && canHide && <Button onClick={hide}>Hide data</Button>}
      {!full && (
        <Button
          loading={running}
          onClick={() => void open()}
          endIcon={hint && <KeyHint>{hint}</KeyHint>}
        >
          Reveal all
        </Button>
      )}
    </Box>
  );
}

export type Reveal = ReturnType<typeof useReveal>;

/** The revealed data of one report. It exists only on this page and is never cached. */
export function useReveal(id: string) {
  const provider = useProvider();
  const queryClient = useQueryClient();
  const notify = useNotify();
  const mutation = useMutation({
    mutationFn: () => provider.command<RevealedReport>(`/reports/${encodeURIComponent(id)}/reveal`),
    gcTime: 0,
    onSuccess: () => {
      void queryClient.invalidateQueries({ queryKey: ["reports", "history", id] });
      void queryClient.invalidateQueries({ queryKey: ["audit-logs"] });
    },
    onError: (error) => {
      const why = messageOf(error, "Unknown error");
      notify(`Failed to reveal the hidden data: ${why}`, { type: "error" });
    },
  });
  const opening = useRef<Promise<RevealedReport | undefined>>(undefined);
  const reveal = () =>
    mutation
      .mutateAsync()
      .then(
        (revealed) => revealed.data,
        () => undefined,
      )
      .finally(() => {
        opening.current = undefined;
      });
  return {
    /** All fields decrypted, from a reveal until they are hidden again. */
    full: mutation.data?.data,
    atMs: mutation.submittedAt,
    running: mutation.isPending,
    hide: mutation.reset,
    /**
     * Reveals the hidden data, which the registry records. Concurrent calls share one request. Resolves with the
     * data, or with undefined if it failed.
     */
    open() {
      opening.current ??= reveal();
      return opening.current;
    },
  };
}
