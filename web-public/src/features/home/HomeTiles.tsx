import styles from "./HomeTiles.module.css";

const TILES = [
  {
    heading: "Search before you ship",
    text: "Search by name, title or place. Finds misspelled names too, and tells you when a match is approximate.",
  },
  {
    heading: "Reviewed first",
    text: "A moderator reads every report. Nothing is published until it's approved.",
  },
  {
    heading: "More than a name",
    text: "We match repeat offenders by email, phone, card, bank account or street, never by name alone.",
  },
  {
    heading: "Private stays private",
    text: "We mask contact and payment details, and reporters stay unnamed unless they choose a public name.",
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
