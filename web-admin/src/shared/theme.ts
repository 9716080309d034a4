import type { Theme } from "@mui/material/styles";
import type { RaThemeOptions } from "react-admin";
import { color } from "#theme/color.ts";
import {
  breakpoint,
  fontFamily,
  motion,
  radius,
  size,
  space,
  type,
  weight,
} from "#theme/tokens.ts";

const small = { fontSize: type.small.size, lineHeight: `${type.small.line}px` };
const lead = { fontSize: type.lead.size, lineHeight: `${type.lead.line}px` };
const ring = { outline: `${size.focusRing}px solid ${color.focus}`, outlineOffset: 2 };

/** Height of a table row, and of each control in a row of controls. */
const ROW_HEIGHT = 40;
const SIDEBAR_WIDTH = 280;
/** Width of the collapsed sidebar, which shows only icons. */
const RAIL_WIDTH = 56;
/** Height of the header. Sticky elements start below it. */
export const HEADER_HEIGHT = 56;

/** Classes of the bars at the bottom of the window. Notices are shown above them. */
export const DECISION_BAR = "decision-bar";
export const SAVE_BAR = "save-bar";

/** The ink color with transparency, for disabled elements. */
const faint = (percent: number) => `color-mix(in srgb, ${color.ink} ${percent}%, transparent)`;

/** A button's hover color: darker in light mode, lighter in dark mode. */
const hovered = (main: string) => `color-mix(in srgb, ${main} 80%, ${color.ink})`;

/**
 * The design tokens as a Material UI theme: one text size, one heading size, no shadows, no ripples. Colors are CSS
 * variables, so the same theme works in light and dark mode, and the browser computes derived colors.
 */
export const theme: RaThemeOptions = {
  cssVariables: { nativeColor: true },
  spacing: space[2],
  sidebar: { width: SIDEBAR_WIDTH, closedWidth: RAIL_WIDTH },
  breakpoints: {
    values: { xs: 0, sm: breakpoint.medium, md: breakpoint.wide, lg: 1200, xl: 1536 },
  },
  shape: { borderRadius: radius.small },
  palette: {
    primary: { main: color.primary, dark: color.primaryStrong, contrastText: color.inkInverse },
    secondary: {
      main: color.private,
      dark: hovered(color.private),
      contrastText: color.inkInverse,
    },
    warning: {
      main: color.warning,
      light: color.warningLine,
      dark: hovered(color.warning),
      contrastText: color.inkInverse,
    },
    error: { main: color.due, dark: hovered(color.due), contrastText: color.inkInverse },
    success: { main: color.settled, dark: hovered(color.settled), contrastText: color.inkInverse },
    info: { main: color.primary, dark: color.primaryStrong, contrastText: color.inkInverse },
    text: { primary: color.ink, secondary: color.inkMuted, disabled: faint(40) },
    background: { default: color.ground, paper: color.paper },
    divider: color.line,
    action: {
      active: color.inkMuted,
      hover: color.primaryTint,
      selected: color.primaryTint,
      focus: color.primaryTint,
      disabled: faint(40),
      disabledBackground: faint(12),
    },
  },
  typography: {
    fontFamily,
    fontSize: type.small.size,
    fontWeightRegular: weight.regular,
    fontWeightMedium: weight.strong,
    fontWeightBold: weight.strong,
    h1: { ...lead, fontWeight: weight.strong },
    h2: { fontSize: type.body.size, lineHeight: `${type.body.line}px`, fontWeight: weight.strong },
    h3: { ...small, fontWeight: weight.strong },
    // Titles of dialogs.
    h6: { ...lead, fontWeight: weight.strong },
    body1: small,
    body2: small,
    subtitle1: small,
    subtitle2: { ...small, fontWeight: weight.strong },
    caption: small,
    overline: { ...small, textTransform: "none", letterSpacing: 0 },
    button: { ...small, fontWeight: weight.strong, textTransform: "none" },
  },
  transitions: {
    duration: {
      shortest: motion.press,
      shorter: motion.press,
      short: motion.move,
      standard: motion.move,
      complex: motion.move,
      enteringScreen: motion.move,
      leavingScreen: motion.press,
    },
  },
  components: {
    MuiCssBaseline: {
      styleOverrides: {
        // Keeps focused elements from being covered by the header or a bar at the bottom.
        html: { scrollPaddingTop: HEADER_HEIGHT + space[6], scrollPaddingBottom: 120 },
        body: { fontVariantNumeric: "tabular-nums" },
        ":focus-visible": ring,
        "ul, ol, dl, dd": { margin: 0, padding: 0, listStyle: "none" },
        "h1:focus, h1:focus-visible": { outline: "none" },
        "@media (prefers-reduced-motion: reduce)": {
          "*, *::before, *::after": {
            animationDuration: "1ms !important",
            animationIterationCount: "1 !important",
            transitionDuration: "1ms !important",
          },
        },
      },
    },
    MuiButtonBase: {
      defaultProps: { disableRipple: true },
      styleOverrides: { root: { "&.Mui-focusVisible": ring } },
    },
    MuiButton: {
      defaultProps: { disableElevation: true },
      styleOverrides: {
        root: {
          minHeight: ROW_HEIGHT,
          paddingInline: space[4],
          "&:active": { filter: "brightness(0.9)" },
          '&[aria-disabled="true"]': { cursor: "default", opacity: 0.5 },
        },
        outlined: { borderColor: color.lineStrong },
        // Phones show no shortcut keys.
        endIcon: ({ theme }: { readonly theme: Theme }) => ({
          [theme.breakpoints.down("sm")]: { "&:has(kbd)": { display: "none" } },
        }),
      },
    },
    MuiIconButton: {
      styleOverrides: {
        root: { borderRadius: radius.small, "&:active": { backgroundColor: color.groundStrong } },
      },
    },
    MuiPaper: {
      defaultProps: { elevation: 0 },
      styleOverrides: { root: { backgroundImage: "none" } },
    },
    MuiDialog: {
      styleOverrides: {
        paper: ({ theme }: { readonly theme: Theme }) => ({
          border: `1px solid ${color.lineStrong}`,
          borderRadius: radius.large,
          // Keeps the buttons of a dialog on one line at 360 pixels.
          [theme.breakpoints.down("sm")]: { margin: 12, width: "calc(100% - 24px)" },
        }),
      },
    },
    MuiDialogActions: {
      styleOverrides: {
        root: {
          // Aligned with the title and the fields.
          padding: `${space[4]}px ${space[6]}px`,
          flexWrap: "wrap",
          // Longer contents scroll below it.
          borderTop: `1px solid ${color.line}`,
        },
      },
    },
    MuiPopover: {
      styleOverrides: { paper: { border: `1px solid ${color.lineStrong}` } },
    },
    MuiMenuItem: { styleOverrides: { root: { minHeight: size.target } } },
    MuiOutlinedInput: {
      styleOverrides: {
        root: { backgroundColor: color.paper, minHeight: ROW_HEIGHT },
        notchedOutline: { borderColor: color.lineStrong, top: 0, "& legend": { display: "none" } },
        input: { "&::placeholder": { color: color.inkMuted, opacity: 1 } },
      },
    },
    MuiTextField: { defaultProps: { size: "small" } },
    MuiFormHelperText: { styleOverrides: { root: { ...small, marginInline: 0 } } },
    MuiFormLabel: { styleOverrides: { root: { "&.Mui-focused": { color: color.ink } } } },
    MuiInputLabel: {
      defaultProps: { shrink: true },
      styleOverrides: {
        // Above the field and in full size, where it is easy to read and never covers the text.
        root: {
          position: "static",
          transform: "none",
          maxWidth: "100%",
          marginBottom: space[1],
          color: color.inkMuted,
        },
      },
    },
    MuiTableCell: {
      styleOverrides: {
        root: {
          padding: `0 ${space[2]}px`,
          height: ROW_HEIGHT,
          borderBottomColor: color.line,
          ...small,
        },
        head: {
          position: "sticky",
          top: HEADER_HEIGHT,
          zIndex: 1,
          backgroundColor: color.groundStrong,
          color: color.inkMuted,
          fontWeight: weight.strong,
          lineHeight: `${type.small.line}px`,
        },
      },
    },
    MuiTab: {
      styleOverrides: { root: { minHeight: size.target, paddingInline: space[3], minWidth: 0 } },
    },
    MuiTabs: {
      styleOverrides: {
        root: { minHeight: size.target },
        scrollButtons: { "&.Mui-disabled": { display: "none" } },
      },
    },
    MuiChip: {
      styleOverrides: {
        root: { ...small, height: 24, borderRadius: radius.small },
        label: { paddingInline: space[2] },
        outlined: { borderColor: color.lineStrong },
      },
    },
    MuiTooltip: {
      defaultProps: {
        enterDelay: 400,
        // The element already has its own label.
        describeChild: true,
        // Inside the page's landmark rather than at the end of the body.
        slotProps: { popper: { container: () => document.getElementById("main") } },
      },
      styleOverrides: {
        tooltip: {
          ...small,
          backgroundColor: color.inverse,
          border: `1px solid ${color.inverseLine}`,
        },
      },
    },
    MuiBackdrop: {
      styleOverrides: {
        root: { "&:not(.MuiBackdrop-invisible)": { backgroundColor: color.scrim } },
      },
    },
    MuiSwitch: { styleOverrides: { track: { backgroundColor: color.inkMuted } } },
    MuiLinearProgress: { styleOverrides: { root: { backgroundColor: color.groundStrong } } },
    MuiAlert: {
      styleOverrides: {
        root: {
          ...small,
          alignItems: "center",
          "&.MuiAlert-colorWarning, &.MuiAlert-colorError": {
            backgroundColor: color.warningTint,
            color: color.warning,
            border: `1px solid ${color.warningLine}`,
            "& .MuiAlert-icon": { color: color.warning },
          },
          "&.MuiAlert-colorInfo": { backgroundColor: color.primaryTint, color: color.ink },
          "&.MuiAlert-colorSuccess": { backgroundColor: color.settledTint, color: color.settled },
        },
        message: { overflowWrap: "anywhere", minWidth: 0 },
        action: {
          alignItems: "center",
          paddingTop: 0,
          "& .MuiButton-root": { whiteSpace: "nowrap" },
        },
      },
    },
  },
};
