import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Menu from "@mui/material/Menu";
import MenuItem from "@mui/material/MenuItem";
import Paper from "@mui/material/Paper";
import { type ReactNode, useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import { color } from "#theme/color.ts";
import { size } from "#theme/tokens.ts";
import { KeyHint } from "../shared/parts.tsx";
import { DECISION_BAR } from "../shared/theme.ts";
import { type Action, type Actions, NEXT_KEY } from "./use-actions.tsx";

const at = (actions: Actions, ...places: readonly Action["place"][]) =>
  actions.actions.filter(({ place }) => places.includes(place));

/** The available actions of a report, each with its key, next to the record. */
export function DecisionPanel(props: { readonly actions: Actions; readonly children: ReactNode }) {
  const { actions, children } = props;
  const [main, change, more] = [at(actions, "main"), at(actions, "change"), at(actions, "more")];
  return (
    <Paper
      component="section"
      aria-label="Decision"
      sx={{ p: 1.5, border: 1, borderColor: "divider", display: "grid", gap: 1 }}
    >
      {children}
      <ActionButtons actions={main} of={actions} />
      {change.length > 0 && <ActionMenu label="Change decision…" actions={change} of={actions} />}
      <Box
        sx={{
          display: "grid",
          gridTemplateColumns: "1fr 1fr",
          "& .MuiButton-root": { px: 1, minHeight: 36, lineHeight: "18px" },
        }}
      >
        <ActionButtons actions={more} of={actions} isText />
        <Button
          onClick={actions.showKeys}
          endIcon={actions.hasKeys && <KeyHint>?</KeyHint>}
          sx={{ justifyContent: "space-between" }}
        >
          Shortcuts
        </Button>
      </Box>
    </Paper>
  );
}

/** Same as `DecisionPanel` for narrow screens: a bar at the bottom, the rest in a menu. */
export function DecisionBar({ actions }: { readonly actions: Actions }) {
  const main = at(actions, "main");
  const rest = [...main.slice(2), ...at(actions, "change", "more")];
  return (
    <Box
      component="section"
      aria-label="Decision"
      className={DECISION_BAR}
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
        "& .MuiButton-root": {
          minHeight: size.target,
          flex: 1,
          px: 1,
          justifyContent: "center",
          textAlign: "center",
        },
      }}
    >
      <ActionButtons actions={main.slice(0, 2)} of={actions} />
      <ActionMenu label="More" actions={rest} of={actions} />
    </Box>
  );
}

interface SomeActions {
  readonly actions: readonly Action[];
  readonly of: Actions;
  /** Whether none of them is the primary action. */
  readonly isText?: boolean;
}

function ActionButtons({ actions, of, isText = false }: SomeActions) {
  return actions.map((action, index) => (
    <Button
      key={action.label}
      ref={action.key === NEXT_KEY ? of.leading : undefined}
      variant={isText ? "text" : index === 0 ? "contained" : "outlined"}
      color={action.isApart ? "warning" : "primary"}
      disabled={of.busy}
      loading={action.busy ?? false}
      loadingPosition="end"
      endIcon={action.key && of.hasKeys && <KeyHint>{action.key}</KeyHint>}
      sx={{ justifyContent: "space-between", textAlign: "left" }}
      {...leadingTo(action)}
    >
      {action.label}
    </Button>
  ));
}

function ActionMenu({ label, actions, of }: SomeActions & { readonly label: string }) {
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const close = () => setAnchor(null);
  return (
    <>
      <Button
        variant="outlined"
        aria-haspopup="menu"
        aria-expanded={anchor !== null}
        disabled={of.busy}
        onClick={(event) => setAnchor(event.currentTarget)}
        sx={{ justifyContent: "space-between" }}
      >
        {label}
      </Button>
      <Menu anchorEl={anchor} open={anchor !== null} onClose={close}>
        {actions.map((action) => (
          <MenuItem
            key={action.label}
            sx={action.isApart ? { color: color.warning } : {}}
            onClickCapture={close}
            {...leadingTo(action)}
          >
            {action.label}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}

function leadingTo({ to, href, run }: Action): object {
  if (to) return { component: RouterLink, to };
  return href ? { component: "a", href } : { onClick: run };
}
