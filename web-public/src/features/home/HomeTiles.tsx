import styles from "./HomeTiles.module.css";

const TILES = [
  {
    heading: "Search before you ship",
    text: "By name, title or place. A misspelled name is found as well, and the result says so.",
  },
  {
    heading: "Reviewed first",
    text: "A moderator reads every report. Nothing is published before it is approved.",
  },
  {
    heading: "More than a name",
    text: "Repeat offenders are matched by email, phone, card, bank account or street, never by the name alone.",
  },
  {
    heading: "Private stays private",
    text: "Contact and payment details are masked, and reporters are not named.",
  },
] as const;

/** What the registry does, in four short tiles. */
export function HomeTiles() {
  return (
    <section aria-labelledby="features" className={styles.features}>
      <h2 id="features" className="visually-hidden">
        What the registry does
      </h2>
      <ul className={styles.tiles}>
        {TILES.map(({ heading, text }) => (
          <li key={heading} className={styles.tile}>
            <h3>{heading}</h3>
            <p>{text}</p>
          </li>
        ))}
      </ul>
    </section>
  );
}
