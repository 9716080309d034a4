import type { ComponentProps } from "react";
import { Link, type LinkProps } from "react-router-dom";
import styles from "./Button.module.css";

export type ButtonKind = "primary" | "secondary" | "quiet" | "danger";

function classOf(kind: ButtonKind, className?: string): string {
  return [styles.button, styles[kind], className].filter(Boolean).join(" ");
}

/** A button, of `type` `button` by default. */
export function Button({
  kind = "primary",
  className,
  ...rest
}: ComponentProps<"button"> & { kind?: ButtonKind }) {
  return <button type="button" {...rest} className={classOf(kind, className)} />;
}

/** A link that looks like a button. */
export function ButtonLink({
  kind = "primary",
  className,
  ...rest
}: LinkProps & { kind?: ButtonKind }) {
  return <Link {...rest} className={classOf(kind, className)} />;
}
