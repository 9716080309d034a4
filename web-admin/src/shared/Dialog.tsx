import MuiDialog, { type DialogProps } from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import type { ComponentProps, ReactNode } from "react";

/** A dialog whose content scrolls, while its title and buttons stay in view. */
export function Dialog(
  props: Omit<DialogProps, "open" | "title" | "form"> & {
    readonly title: string;
    readonly actions: ReactNode;
    /** Props of a form around title, content and buttons; without it, there is no form. */
    readonly form?: ComponentProps<"form">;
    /** Whether it has fields. Otherwise the content is focusable, so that keys can scroll it. */
    readonly hasFields?: boolean;
  },
) {
  const { title, actions, form, hasFields, children, ...dialog } = props;
  const parts = (
    <>
      <DialogTitle sx={{ overflowWrap: "anywhere" }}>{title}</DialogTitle>
      <DialogContent tabIndex={hasFields ? undefined : 0} sx={{ display: "grid", gap: 2 }}>
        {children}
      </DialogContent>
      <DialogActions>{actions}</DialogActions>
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
