import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { useState } from "react";
import type { NoticeRecord } from "#contracts/http/admin-notices.ts";
import { NOTICE_ACTIONS, type NoticeAction, NoticeDialog } from "./NoticeDialog.tsx";

/** What can be decided about a notice now, the usual decision first. */
function actionsOf({ kind, status, targets, not_before }: NoticeRecord): readonly NoticeAction[] {
  if (kind === "counter_notice") {
    if (status === "new") return ["pass-on", "refuse"];
    if (status !== "passed_on") return [];
    const isOver = not_before !== undefined && Date.parse(not_before) <= Date.now();
    return isOver ? ["restore", "refuse"] : ["refuse"];
  }
  if (status === "taken_down" || status === "countered") return ["lift"];
  if (status !== "new" && status !== "in_work") return [];
  return targets.length > 0 ? ["take-down", "refuse"] : ["refuse"];
}

/** Buttons for the decisions. Each asks before it does anything. */
export function NoticeActions({ notice }: { readonly notice: NoticeRecord }) {
  const [open, setOpen] = useState<NoticeAction>();
  const actions = actionsOf(notice);
  if (actions.length === 0) return null;
  return (
    <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
      {actions.map((action, index) => (
        <Button
          key={action}
          variant={index === 0 && action !== "refuse" ? "contained" : "outlined"}
          onClick={() => setOpen(action)}
        >
          {NOTICE_ACTIONS[action].button}
        </Button>
      ))}
      {open && <NoticeDialog notice={notice} action={open} onClose={() => setOpen(undefined)} />}
    </Box>
  );
}
