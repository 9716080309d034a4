import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import { useState } from "react";
import { useDataProvider } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { given } from "#contracts/given.ts";
import type { NoticeRecord, ShownTarget } from "#contracts/http/admin-notices.ts";
import { paths } from "../config/paths.ts";
import type { ConsoleDataProvider } from "../data/console-data-provider.ts";
import { Section } from "../shared/Section.tsx";
import { useInquiryCommand } from "./use-inquiry-command.ts";

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** What a notice is about: reports, and published pictures of them. */
export function NoticeTargets({ notice }: { readonly notice: NoticeRecord }) {
  const provider = useDataProvider<ConsoleDataProvider>();
  const { id, targets, status, revision } = notice;
  const [typed, setTyped] = useState("");
  const isOpen = status === "new" || status === "in_work";
  // The address of a published picture names the report, then the picture.
  const [report_id, copy_id] = typed.match(UUID)?.map((found) => found.toLowerCase()) ?? [];
  const link = useInquiryCommand(
    (target: { readonly report_id: string; readonly copy_id?: string }) =>
      provider.decideNotice(id, { name: "link", body: { ...target, revision } }),
    () => setTyped(""),
    ["notices"],
  );
  const unlink = useInquiryCommand(
    ({ report_id: of, copy_id: copy }: ShownTarget) =>
      provider.decideNotice(id, {
        name: "unlink",
        body: { report_id: of, ...given({ copy_id: copy }), revision },
      }),
    undefined,
    ["notices"],
  );
  return (
    <Section title="What it is about">
      {targets.length === 0 && (
        <Typography color="textSecondary">
          {isOpen
            ? "Nothing is linked yet. Open what was sent, find the report, and link it here."
            : "No report was linked to it."}
        </Typography>
      )}
      <Box component="ul" sx={{ listStyle: "none", m: 0, p: 0 }}>
        {targets.map((target) => (
          <Box
            component="li"
            key={`${target.report_id} ${target.copy_id}`}
            sx={{ display: "flex", gap: 2, alignItems: "center", py: 0.5, flexWrap: "wrap" }}
          >
            <Link component={RouterLink} to={paths.report(target.report_id)} sx={{ py: 1.25 }}>
              {target.report_number}
              {target.copy_id && ", one picture"}
            </Link>
            {isOpen && (
              <Button
                onClick={() => unlink.mutate(target)}
                disabled={unlink.isPending || link.isPending}
                aria-label={`Take the link to ${target.report_number} away`}
              >
                Take away
              </Button>
            )}
          </Box>
        ))}
      </Box>
      {isOpen && (
        <Box
          component="form"
          onSubmit={(event) => {
            event.preventDefault();
            if (report_id && !link.isPending) link.mutate({ report_id, ...given({ copy_id }) });
          }}
          sx={{ display: "flex", gap: 1, flexWrap: "wrap", alignItems: "flex-start", mt: 1 }}
        >
          <TextField
            label="Report or picture"
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
            error={typed !== "" && !report_id}
            helperText="The report's address in the console, or the address of a published picture"
            sx={{ flex: "1 1 320px" }}
          />
          <Button
            type="submit"
            variant="outlined"
            loading={link.isPending}
            disabled={!report_id || unlink.isPending}
          >
            Link
          </Button>
        </Box>
      )}
    </Section>
  );
}
