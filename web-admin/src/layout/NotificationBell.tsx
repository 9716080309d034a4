import BellIcon from "@mui/icons-material/NotificationsOutlined";
import Alert from "@mui/material/Alert";
import Badge from "@mui/material/Badge";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import List from "@mui/material/List";
import ListItem from "@mui/material/ListItem";
import ListItemButton from "@mui/material/ListItemButton";
import ListItemText from "@mui/material/ListItemText";
import Popover from "@mui/material/Popover";
import Typography from "@mui/material/Typography";
import { Link as RouterLink } from "react-router-dom";
import type { Notifications } from "#contracts/http/sessions.ts";
import { NOTIFICATION_KINDS, NOTIFICATIONS } from "#contracts/notification/notification-kinds.ts";
import { messageOf } from "../data/api-error.ts";
import { bellLabel, factsOf, failedText, markOf, PLACES } from "../shared/notification-labels.ts";
import { useFrameRead } from "../shared/reads.ts";
import { useAnchor } from "../shared/use-anchor.ts";

const TITLE = "notifications-title";

/**
 * A bell with the number of items that need attention, and links to them. Refetches when the page changes, when the
 * bell is opened, and when something changes.
 */
export function NotificationBell() {
  const { button, below, close } = useAnchor("dialog");
  const { data, error, isFetching, readAgain } = useFrameRead<Notifications>(
    ["notifications"],
    NOTIFICATIONS,
  );
  const failed = data?.failed ?? [];
  const isUnwell = Boolean(error) || failed.length > 0;
  // No mark, no badge: it would contain a number that the bell's label doesn't mention.
  const mark = (data && markOf(data)) || (isUnwell ? "!" : undefined);
  return (
    <>
      <IconButton
        aria-label={bellLabel(data, Boolean(error))}
        {...button}
        onClick={(event) => {
          button.onClick(event);
          readAgain();
        }}
        sx={{ width: 44, height: 44, color: "text.primary" }}
      >
        {mark ? (
          <Badge aria-hidden color="error" badgeContent={mark}>
            <BellIcon />
          </Badge>
        ) : (
          <BellIcon />
        )}
      </IconButton>
      <Popover
        {...below}
        anchorOrigin={{ vertical: "bottom", horizontal: "right" }}
        transformOrigin={{ vertical: "top", horizontal: "right" }}
        slotProps={{ paper: { role: "dialog", "aria-labelledby": TITLE, sx: { width: 360 } } }}
      >
        <Typography id={TITLE} variant="h2" sx={{ px: 2, pt: 2, pb: 1 }}>
          Notifications
        </Typography>
        {data?.notifications.length === 0 && !isUnwell && (
          <Typography sx={{ px: 2, pb: 2 }}>Nothing needs attention now.</Typography>
        )}
        {data && data.notifications.length > 0 && (
          <List sx={{ pt: 0 }}>
            {data.notifications.map((each) => (
              <ListItem key={each.kind} disablePadding>
                <ListItemButton component={RouterLink} to={PLACES[each.kind]} onClick={close}>
                  <ListItemText
                    primary={NOTIFICATION_KINDS[each.kind]}
                    secondary={factsOf(each)}
                    slotProps={{ primary: { sx: { fontWeight: 600 } } }}
                  />
                </ListItemButton>
              </ListItem>
            ))}
          </List>
        )}
        {isUnwell && (
          <Box sx={{ px: 2, pb: 2 }}>
            <Alert
              severity="warning"
              action={
                <Button color="inherit" loading={isFetching} onClick={readAgain}>
                  Try again
                </Button>
              }
            >
              {error
                ? `Failed to load the notifications: ${messageOf(error, "Unknown error occurred")}`
                : failedText(failed)}
            </Alert>
          </Box>
        )}
        {!data && !error && <Typography sx={{ px: 2, pb: 2 }}>Loading</Typography>}
      </Popover>
    </>
  );
}
