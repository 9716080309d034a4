import { useId, useState } from "react";
import { INQUIRY_FORMS, PLANS } from "#contracts/inquiry/inquiry-forms.ts";
import { Button } from "../../components/Button.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { paths } from "../../config/paths.ts";
import styles from "./EnterprisePage.module.css";
import { InquiryForm } from "./InquiryForm.tsx";

type FactList = readonly (readonly [string, string])[];

const FEATURES: FactList = [
  ["Search by API", "Names, places, amounts and reasons, with the same results as this site."],
  ["Repeat offenders", "Report counts and total amounts for each person."],
  [
    "Always current",
    "Reports appear within seconds of approval and disappear as soon as they're removed.",
  ],
  [
    "Private by default",
    "Email, phone and card stay masked. You can compare them without exposing anyone.",
  ],
];

const USE_CASES: FactList = [
  ["Before you ship", "Look up a buyer while the order is still in the warehouse."],
  ["Checks at the register", "See whether someone has passed bad checks before you accept one."],
  [
    "Disputes",
    "Find out whether a customer has disputed charges with other merchants, to support your case.",
  ],
];

interface PlanFacts {
  readonly price: string;
  readonly calls: string;
  readonly more: readonly string[];
}

const PLAN_FACTS: Readonly<Record<keyof typeof PLANS, PlanFacts>> = {
  professional: {
    price: "$299 per month",
    calls: "10,000 calls a month",
    more: ["Search by API", "Email support"],
  },
  enterprise: {
    price: "$999 per month",
    calls: "100,000 calls a month",
    more: ["Everything in Professional", "Help connecting your systems"],
  },
  enterprise_plus: {
    price: "Custom price",
    calls: "Unlimited calls",
    more: ["Everything in Enterprise", "Custom terms"],
  },
};

const DESCRIPTION =
  "Check orders and customers against the registry from your own systems: plans, prices and contact.";

/** Features, use cases, plans, and the contact form. */
export function EnterprisePage() {
  const [plan, setPlan] = useState("");
  const contact = useId();
  function choose(code: string) {
    setPlan(code);
    document.getElementById(contact)?.scrollIntoView({ block: "start" });
    document.getElementById(`${contact}-heading`)?.focus({ preventScroll: true });
  }
  return (
    <div className={styles.page}>
      <PageHead title="Enterprise Solutions" description={DESCRIPTION} path={paths.enterprise} />
      <h1 tabIndex={-1}>Enterprise Solutions</h1>
      <p className={styles.lead}>
        Check orders and customers against the registry from your own systems. API access is coming
        soon. Tell us what you need, and we'll get in touch.
      </p>
      <Facts title="Features" facts={FEATURES} />
      <Facts title="Use cases" facts={USE_CASES} />
      <section aria-labelledby={`${contact}-plans`}>
        <h2 id={`${contact}-plans`}>Plans</h2>
        <ul className={styles.plans}>
          {Object.entries(PLANS).map(([code, name]) => {
            const { price, calls, more } = PLAN_FACTS[code as keyof typeof PLANS];
            return (
              <li key={code}>
                <h3>{name}</h3>
                <p className={styles.price}>{price}</p>
                <p>{calls}</p>
                <ul>
                  {more.map((fact) => (
                    <li key={fact}>{fact}</li>
                  ))}
                </ul>
                <Button kind="secondary" onClick={() => choose(code)}>
                  Ask about {name}
                </Button>
              </li>
            );
          })}
        </ul>
        <p className={styles.note}>In preparation: you can't buy a plan yet.</p>
      </section>
      <section id={contact} className={styles.contact} aria-labelledby={`${contact}-heading`}>
        <h2 id={`${contact}-heading`} tabIndex={-1}>
          Contact sales
        </h2>
        <p>{INQUIRY_FORMS.enterprise.promise}</p>
        <InquiryForm kind="enterprise" submit="Contact sales" chosen={plan} />
      </section>
    </div>
  );
}

function Facts(props: { title: string; facts: readonly (readonly [string, string])[] }) {
  return (
    <section>
      <h2>{props.title}</h2>
      <dl className={styles.facts}>
        {props.facts.map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
