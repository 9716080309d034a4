import MuiDialog, { type DialogProps } from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import type { ComponentProps, ReactNode } from "react";

/** A dialog whose content scrolls between its title and its buttons, which stay in view. */
export function Dialog(
  props: Omit<DialogProps, "open" | "title" | "form"> & {
    readonly title: string;
    readonly actions: ReactNode;
    /** Of the form that all of it is, if it is one. */
    readonly form?: ComponentProps<"form">;
    /** Whether Tab reaches fields in it, by which it can be scrolled. */
    readonly hasFields?: boolean;
  },
) {
  const { title, actions, form, hasFields, children, ...dialog } = props;
  const parts = (
    <>
      <DialogTitle sx={{ overflowWrap: "anywhere" }}>{title}</DialogTitle>
      {/* It may scroll, so the keyboard must reach it: fields in it do. */}
      <DialogContent tabIndex={hasFields ? undefined : 0} sx={{ display: "grid", gap: 2 }}>
        {children}
      </DialogContent>
      <DialogActions sx={{ p: 2, flexWrap: "wrap" }}>{actions}</DialogActions>
    </>
  );
  return (
    <MuiDialog open fullWidth {...dialog}>
      {form ? (
        <form noValidate style={{ display: "contents" }} {...form}>
          {parts}
        </form>
      ) : (
        parts
      )}
    </MuiDialog>
  );
}
