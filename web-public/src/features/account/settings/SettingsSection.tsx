import { type ReactNode, type RefObject, useId } from "react";
import styles from "./AccountSettings.module.css";

/** A section of the settings. Its heading can take the focus when one of its buttons disappears. */
export function SettingsSection(props: {
  title: string;
  heading?: RefObject<HTMLHeadingElement | null>;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <section className={styles.section} aria-labelledby={id}>
      <h2 id={id} ref={props.heading} tabIndex={-1}>
        {props.title}
      </h2>
      {props.children}
    </section>
  );
}
