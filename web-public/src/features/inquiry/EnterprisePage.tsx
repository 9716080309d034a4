import { useId, useState } from "react";
import { INQUIRY_FORMS, PLANS } from "#contracts/inquiry/inquiry-forms.ts";
import { Button } from "../../components/Button.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { paths } from "../../config/paths.ts";
import styles from "./EnterprisePage.module.css";
import { FEATURES, PLAN_FACTS, USE_CASES } from "./enterprise-facts.ts";
import { InquiryForm } from "./InquiryForm.tsx";

const DESCRIPTION =
  "Check orders and customers against the registry from your own systems: plans, prices and contact.";

/** Features, use cases, plans, and the form by which a company gets in touch. */
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
        Check orders and customers against the registry from your own systems. API access is in
        preparation. Tell us what you need, and we'll get in touch.
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
