import { Notice } from "../../components/Notice.tsx";

/** Says that whoever reported the matter has declared it settled. */
export function ResolvedBanner() {
  return (
    <Notice tone="success">
      <h2>RESOLVED</h2>
      <p>The reporting merchant has declared in a notarized letter that this matter is settled.</p>
    </Notice>
  );
}
