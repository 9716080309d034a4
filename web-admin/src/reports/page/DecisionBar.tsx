import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import { useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import { color } from "#theme/color.ts";
import { size } from "#theme/tokens.ts";
import { paths } from "../../config/paths.ts";
import { waitingWords } from "../../shared/use-status-counts.ts";
import { isOpen } from "../commands/is-open.ts";
import type { DecisionPanelProps } from "./DecisionPanel.tsx";

/** The decision panel of a narrow screen: a bar at its foot, the rest behind a menu. */
export function DecisionBar({ report, decisions, queue, nextButton }: DecisionPanelProps) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const { busy, offered, apart, decide, buttonRef } = decisions;
  const open = isOpen(report.status);
  const [inBar, inMenu] = open ? [offered.slice(0, 2), offered.slice(2)] : [[], offered];
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
      {inBar.map((command, index) => (
        <Button
          key={command.label}
          ref={buttonRef(command)}
          variant={index === 0 ? "contained" : "outlined"}
          disabled={busy !== undefined}
          loading={busy === command}
          onClick={() => decide(command)}
        >
          {command.label}
        </Button>
      ))}
      {!open && queue?.nextId && (
        <Button
          ref={nextButton}
          variant="contained"
          component={RouterLink}
          to={paths.report(queue.nextId)}
        >
          Next ({waitingWords(queue.to_decide, "to_decide")})
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
        {inMenu.map((command) => (
          <MenuItem key={command.label} onClick={choose(() => decide(command))}>
            {command.label}
          </MenuItem>
        ))}
        {!report.own && (
          <MenuItem component={RouterLink} to={paths.reportEdit(report.id)}>
            Edit
          </MenuItem>
        )}
        <MenuItem component={RouterLink} to={paths.reportHistory(report.id)}>
          History
        </MenuItem>
        {report.status === "approved" && report.seo_title && (
          <MenuItem component="a" href={`/report/${encodeURIComponent(report.seo_title)}`}>
            Public page
          </MenuItem>
        )}
        {open && queue?.nextId && (
          <MenuItem
            component={RouterLink}
            to={paths.report(queue.nextId)}
            onClick={choose(() => {})}
          >
            Next report ({waitingWords(queue.to_decide, "to_decide")})
          </MenuItem>
        )}
        {apart.map((command) => (
          <MenuItem
            key={command.label}
            onClick={choose(() => decide(command))}
            sx={{ color: color.warning }}
          >
            {command.label}
          </MenuItem>
        ))}
      </Menu>
    </Box>
  );
}
