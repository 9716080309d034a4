import { useSiteConfig } from "../../config/site-config.tsx";
import styles from "./AccountPage.module.css";

/** What is left for who lost both the authenticator and the recovery codes. */
export function LostFactor() {
  const { supportEmail } = useSiteConfig();
  return (
    <details className={styles.more}>
      <summary>Lost your device and codes?</summary>
      <p>
        One of your ten recovery codes works in place of your device. If you've lost them too, write
        to <a href={`mailto:${supportEmail}`}>{supportEmail}</a> from your account's email address.
        We'll check who you are before we turn off two-factor authentication. Then you'll be signed
        out everywhere and can sign in with just your password. We'll email you when it's done.
      </p>
    </details>
  );
}
