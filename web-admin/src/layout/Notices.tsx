import CloseIcon from "@mui/icons-material/Close";
import Alert, { type AlertColor } from "@mui/material/Alert";
import IconButton from "@mui/material/IconButton";
import Snackbar from "@mui/material/Snackbar";
import { isValidElement, useEffect, useState } from "react";
import { type NotificationPayload, useNotificationContext, useTranslate } from "react-admin";

/**
 * How long a notice is shown unless it says so itself, in milliseconds. Errors stay until they are
 * closed.
 */
const STAYS_MS = 5000;

/**
 * Shows only the newest notice, so that a moderator who works fast does not read about earlier
 * reports.
 */
export function Notices() {
  const { notifications, takeNotification } = useNotificationContext();
  const translate = useTranslate();
  const [shown, setShown] = useState<NotificationPayload>();
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (notifications.length === 0) return;
    setShown(takeNotification() ?? undefined);
    setOpen(true);
  }, [notifications, takeNotification]);
  if (!shown) return null;
  const { message, type, notificationOptions } = shown;
  const isError = type === "error";
  const close = (_event: unknown, reason?: string) => {
    if (reason !== "clickaway") setOpen(false);
  };
  const name = isValidElement(message) ? message.key : String(message);
  const staysMs = notificationOptions?.autoHideDuration ?? STAYS_MS;
  return (
    <Snackbar
      key={`${type}:${name}`}
      open={open}
      onClose={close}
      autoHideDuration={isError ? null : staysMs}
      anchorOrigin={{ vertical: "top", horizontal: "center" }}
      // As wide as its words: from the middle on there would be room for half of it.
      sx={{ width: { sm: "max-content" }, top: { xs: 4, sm: 4 } }}
    >
      <Alert
        severity={severityOf(type)}
        role={isError ? "alert" : "status"}
        sx={{ maxWidth: 640, border: 1, borderColor: "divider" }}
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
