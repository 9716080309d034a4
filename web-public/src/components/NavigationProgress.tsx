import { useNavigation } from "react-router-dom";
import styles from "./NavigationProgress.module.css";

/** A thin line below the header while the next page loads. It appears at once after a click. */
export function NavigationProgress() {
  const navigation = useNavigation();
  if (navigation.state === "idle") return null;
  return (
    <div className={styles.line} role="progressbar" aria-label="Loading">
      <div className={styles.run} />
    </div>
  );
}
