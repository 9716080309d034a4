/** One axe rule that one kind of element may violate, with the reason. */
export interface Allowance {
  readonly rule: string;
  /** Selector of the elements. */
  readonly at: string;
  readonly why: string;
}

/** Every axe violation allowed in the console. Remove one that no screen needs anymore. */
export const CONSOLE_ALLOWANCES: readonly Allowance[] = [
  {
    rule: "region",
    at: ".MuiPopover-paper:has(> [role='menu'])",
    why: "An open menu is a layer above the page, as a dialog is: Material UI hides the rest from screen readers and keeps the focus inside. Axe lets dialogs stand outside of landmarks, but not menus.",
  },
];
