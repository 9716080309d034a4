import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Popover from "@mui/material/Popover";
import { type Theme, ThemeProvider } from "@mui/material/styles";
import { useState } from "react";
import { ListContextProvider, SavedQueriesList, useListContext, useStore } from "react-admin";
import { askedFilter } from "../asked-filter.ts";
import { SAVED_FAILURE, SAVED_VALUE } from "./saved-queries.ts";

/** Its list has a button beside the items, which no list may have. */
const withoutLists = (outer: Theme): Theme => ({
  ...outer,
  components: {
    ...outer.components,
    MuiList: { defaultProps: { component: "div" } as object },
    MuiListItem: { defaultProps: { component: "div" } as object },
  },
});

/** One's own filters of a list, which the server keeps: applied, saved under a name, removed. */
export function SavedQueries() {
  const list = useListContext();
  const [anchor, setAnchor] = useState<HTMLElement | null>(null);
  const [failure] = useStore<string>(SAVED_FAILURE, "");
  return (
    <>
      <Button
        variant="outlined"
        aria-haspopup="dialog"
        aria-expanded={anchor !== null}
        onClick={(event) => setAnchor(event.currentTarget)}
      >
        Saved queries
      </Button>
      <Popover
        open={anchor !== null}
        anchorEl={anchor}
        onClose={() => setAnchor(null)}
        anchorOrigin={{ vertical: "bottom", horizontal: "left" }}
        slotProps={{ paper: { role: "dialog", "aria-label": "Saved queries" } as object }}
      >
        <Box
          sx={{
            width: 280,
            position: "relative",
            px: 2,
            pb: 2,
            // A press on the query itself drops it as well; this button has no name.
            "& .MuiListItem-secondaryAction > .MuiListItemSecondaryAction-root": {
              display: "none",
            },
          }}
        >
          {failure && <Alert severity="error">{failure}</Alert>}
          {/* A saved query is a filter, whatever the order and the size of pages. */}
          <ListContextProvider
            value={{ ...list, ...SAVED_VALUE, filterValues: askedFilter(list.filterValues) }}
          >
            <ThemeProvider theme={withoutLists}>
              <SavedQueriesList />
            </ThemeProvider>
          </ListContextProvider>
        </Box>
      </Popover>
    </>
  );
}
