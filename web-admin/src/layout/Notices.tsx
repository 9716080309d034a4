import CloseIcon from "@mui/icons-material/Close";
import Alert, { type AlertColor } from "@mui/material/Alert";
import Box from "@mui/material/Box";
import GlobalStyles from "@mui/material/GlobalStyles";
import IconButton from "@mui/material/IconButton";
import Snackbar from "@mui/material/Snackbar";
import { isValidElement, useEffect, useState } from "react";
import { type NotificationPayload, useNotificationContext, useTranslate } from "react-admin";
import { color } from "#theme/color.ts";
import { onUndone } from "../commands/UndoOffer.tsx";
import { DECISION_BAR, SAVE_BAR } from "../shared/theme.ts";

/** Lets everything be scrolled out from under an offer. */
const ROOM = 112;
const BARS = `.${DECISION_BAR}, .${SAVE_BAR}`;
const MAKE_ROOM = {
  ":root": { scrollPaddingBottom: 200 },
  [`#main:not(:has(${BARS}))`]: { paddingBottom: ROOM },
  [`#main :is(${BARS})`]: { marginTop: ROOM },
};

/** Default time in milliseconds that a notice is shown. Errors stay until closed. */
const STAYS_MS = 5000;

/**
 * Shows only the newest notice, so that a fast moderator doesn't read about earlier reports. The offer to undo a
 * decision stays next to it until it expires.
 */
export function Notices() {
  const { notifications, takeNotification } = useNotificationContext();
  const [shown, setShown] = useState<NotificationPayload>();
  const [offer, setOffer] = useState<NotificationPayload>();
  useEffect(() => {
    if (notifications.length === 0) return;
    const taken = takeNotification() ?? undefined;
    if (!isValidElement(taken?.message)) return setShown(taken);
    setOffer(taken);
    setShown(undefined);
  }, [notifications, takeNotification]);
  useEffect(
    () =>
      onUndone((reportId) =>
        setOffer((offer) =>
          isValidElement(offer?.message) && offer.message.key?.startsWith(reportId)
            ? undefined
            : offer,
        ),
      ),
    [],
  );
  return (
    <Box
      sx={{
        position: "fixed",
        // Below dialogs, whose buttons it would cover.
        zIndex: shown ? "snackbar" : "fab",
        bottom: 16,
        [`body:has(.${DECISION_BAR}) &`]: { bottom: 72 },
        [`body:has(.${SAVE_BAR}) &`]: { bottom: { xs: 120, sm: 88 } },
        insetInline: 16,
        display: "grid",
        gap: 0.5,
        justifyItems: "center",
        pointerEvents: "none",
        "& > *": { pointerEvents: "auto" },
      }}
    >
      {offer && <GlobalStyles styles={MAKE_ROOM} />}
      {offer && <Notice of={offer} onClose={() => setOffer(undefined)} />}
      {shown && <Notice of={shown} onClose={() => setShown(undefined)} />}
    </Box>
  );
}

function Notice(props: { readonly of: NotificationPayload; readonly onClose: () => void }) {
  const { message, type, notificationOptions } = props.of;
  const translate = useTranslate();
  const isOffer = isValidElement(message);
  const isError = type === "error";
  const close = (_event: unknown, reason?: string) => {
    // Esc is also used to leave a field or a dialog.
    if (reason !== "clickaway" && !(isOffer && reason === "escapeKeyDown")) props.onClose();
  };
  const staysMs = notificationOptions?.autoHideDuration ?? STAYS_MS;
  return (
    <Snackbar
      key={`${type}:${isOffer ? message.key : String(message)}`}
      open
      onClose={close}
      autoHideDuration={isError ? null : staysMs}
      sx={{ position: "static", transform: "none" }}
    >
      <Alert
        severity={severityOf(type)}
        role={isError ? "alert" : "status"}
        sx={{
          maxWidth: 640,
          border: 1,
          borderColor: color.lineStrong,
          // Room for the button next to the text.
          ...(isOffer && { "& .MuiAlert-icon": { display: { xs: "none", sm: "flex" } } }),
        }}
        action={
          <IconButton size="small" color="inherit" aria-label="Close" onClick={close}>
            <CloseIcon fontSize="small" />
          </IconButton>
        }
      >
        {typeof message === "string"
          ? translate(message, { _: message, ...notificationOptions?.messageArgs })
          : message}
      </Alert>
    </Snackbar>
  );
}

function severityOf(type: string): AlertColor {
  return type === "error" || type === "warning" || type === "success" ? type : "info";
}
