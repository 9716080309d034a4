import { useSiteConfig } from "../../config/site-config.tsx";
import styles from "./AccountPage.module.css";

/** What is left for who lost both the authenticator and the recovery codes. */
export function LostFactor() {
  const { supportEmail } = useSiteConfig();
  return (
    <details className={styles.more}>
      <summary>Lost your device and codes?</summary>
      <p>
        One of your ten recovery codes works in place of your device. If you have lost them too,
        write to <a href={`mailto:${supportEmail}`}>{supportEmail}</a> from the address of your
        account. We check who you are before we switch two-factor sign-in off. Then your password is
        enough, all your sessions end, and you get a mail about it.
      </p>
    </details>
  );
}
