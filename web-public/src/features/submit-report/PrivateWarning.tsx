import type { PrivatePlace } from "#contracts/report/private-text/find-private-text.ts";
import { PRIVATE_KINDS } from "#contracts/report/private-text/found-place.ts";
import { maskPlace } from "#contracts/report/private-text/mask-places.ts";
import { Button } from "../../components/Button.tsx";
import { Notice } from "../../components/Notice.tsx";
import styles from "./PrivateWarning.module.css";

/** What of a field's text would be public and looks private, each place with a button that masks it. */
export function PrivateWarning(props: {
  id: string;
  /** Of the field's control. */
  controlId: string;
  text: string;
  places: readonly PrivatePlace[];
  onMasked: (text: string) => void;
}) {
  const { id, controlId, text, places, onMasked } = props;
  if (places.length === 0) return null;
  function mask(place: PrivatePlace) {
    onMasked(maskPlace(text, place));
    // The button goes.
    document.getElementById(controlId)?.focus();
  }
  return (
    <div id={id}>
      <Notice tone="warning" role="status">
        <p>Anyone can read this once the report is published:</p>
        <ul className={styles.places}>
          {places.map((place) => {
            const { name } = PRIVATE_KINDS[place.kind];
            return (
              <li key={place.start}>
                <span className={styles.place}>
                  {name}: <strong>{text.slice(place.start, place.end)}</strong>
                </span>
                <Button kind="quiet" className="needs-script" onClick={() => mask(place)}>
                  Mask it<span className="visually-hidden">: {name}</span>
                </Button>
              </li>
            );
          })}
        </ul>
      </Notice>
    </div>
  );
}
