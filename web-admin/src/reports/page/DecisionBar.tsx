import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import { color, size } from "#theme/tokens.ts";
import { paths } from "../../config/paths.ts";
import type { DecisionPanelProps } from "./DecisionPanel.tsx";
import { DECISION_LABELS, decisionsFrom, isOpen } from "./decisions.ts";

/** The decision panel for narrow screens: a bar at the bottom, with further actions in a menu. */
export function DecisionBar({
  report,
  decisions,
  queue,
  approveButton,
  nextButton,
}: DecisionPanelProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { busy } = decisions;
  const all = decisionsFrom(report.status);
  const open = isOpen(report.status);
  const [inBar, inMenu] = open ? [all.slice(0, 2), all.slice(2)] : [[], all];
  const choose = (act: () => void) => () => {
    setAnchor(null);
    act();
  };
  return (
    <Box
      component="section"
      aria-label="Decision"
      sx={{
        position: "sticky",
        bottom: 0,
        zIndex: 10,
        mx: -2,
        mb: -2,
        mt: 2,
        p: 1,
        display: "flex",
        gap: 1,
        bgcolor: "background.paper",
        borderTop: `1px solid ${color.lineStrong}`,
        "& .MuiButton-root": { minHeight: size.target, flex: 1 },
      }}
    >
      {inBar.map((decision, index) => (
        <Button
          key={decision}
          ref={decision === "approve" ? approveButton : undefined}
          variant={index === 0 ? "contained" : "outlined"}
          disabled={busy !== undefined}
          loading={busy === decision}
          onClick={() => void decisions.decide(decision)}
        >
          {DECISION_LABELS[decision]}
        </Button>
      ))}
      {!open && queue.nextId && (
        <Button
          ref={nextButton}
          variant="contained"
          component={RouterLink}
          to={paths.report(queue.nextId)}
        >
          Next pending ({queue.waiting})
        </Button>
      )}
      <Button
        variant="outlined"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        More
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={() => setAnchor(null)}>
        {inMenu.map((decision) => (
          <MenuItem key={decision} onClick={choose(() => void decisions.decide(decision))}>
            {DECISION_LABELS[decision]}
          </MenuItem>
        ))}
        {!report.verified && (
          <MenuItem onClick={choose(() => void decisions.verify())}>Verify email manually</MenuItem>
        )}
        <MenuItem component={RouterLink} to={paths.reportEdit(report.id)}>
          Edit
        </MenuItem>
        <MenuItem component={RouterLink} to={paths.reportHistory(report.id)}>
          History
        </MenuItem>
        {report.status === "approved" && report.seo_title && (
          <MenuItem component="a" href={`/report/${encodeURIComponent(report.seo_title)}`}>
            Public page
          </MenuItem>
        )}
        {open && queue.nextId && (
          <MenuItem
            component={RouterLink}
            to={paths.report(queue.nextId)}
            onClick={choose(() => {})}
          >
            Next pending report ({queue.waiting})
          </MenuItem>
        )}
        <MenuItem onClick={choose(decisions.askToDelete)} sx={{ color: color.warning }}>
          Delete…
        </MenuItem>
      </Menu>
    </Box>
  );
}
