import { Link } from "react-router-dom";
import { TERMS_VERSION } from "#contracts/report/words.ts";
import { PageHead } from "../../components/PageHead.tsx";
import { paths } from "../../config/paths.ts";
import { useSiteConfig } from "../../config/site-config.tsx";
import { formatDate } from "../../lib/format.ts";
import styles from "./TermsPage.module.css";

/**
 * The terms that a reporter agrees to. `TERMS_VERSION`, which is stored with every submission,
 * identifies this text. Any change to the wording needs a new version.
 */
export function TermsPage() {
  const { productName, supportEmail } = useSiteConfig();
  const contact = <a href={`mailto:${supportEmail}`}>{supportEmail}</a>;
  return (
    <article className={styles.page}>
      <PageHead
        title="Terms of Service"
        description="What you agree to when you submit a report or use what is published here."
        path={paths.terms}
      />
      <h1 tabIndex={-1}>Terms of Service</h1>
      <p className={styles.version}>
        Version {TERMS_VERSION}, in force since {formatDate(TERMS_VERSION)}
      </p>
      <div className={styles.summary}>
        <h2>In short</h2>
        <ul>
          <li>Report only what happened to you, and only what you can prove.</li>
          <li>An approved report is public and permanent. You cannot edit or remove it.</li>
          <li>Your name, email and phone are not published.</li>
          <li>Nothing here is independently verified. Do not treat it as a finding.</li>
        </ul>
      </div>

      <h2 id="registry">1. The registry</h2>
      <p>
        {productName} publishes reports of chargeback fraud and of bad checks. Merchants and others
        who took a payment submit them, moderators review them, and anyone can search and read what
        was approved. These terms apply to everybody who submits, searches or reads. If you do not
        agree to them, do not use the registry.
      </p>
      <p>
        The registry is not for children under 13. They may not use it, and nobody may report them.
        We remove what we learn about them.
      </p>

      <h2 id="submitting">2. Submitting a report</h2>
      <p>When you submit a report, you state that</p>
      <ul>
        <li>you took part in the transaction, or you act for the business that did;</li>
        <li>what you write is true, complete and not misleading, to the best of your knowledge;</li>
        <li>you hold records that show it, and you will give them to us if we ask;</li>
        <li>you have the right to pass on the information that you enter;</li>
        <li>you report to warn others of a loss, not to harass, to threaten or to compete.</li>
      </ul>
      <p>
        Enter only what the form asks for. Never enter a full card number, a security code, a
        password, a social security number, or anything about a person's health, beliefs, origin or
        family. We confirm your email address by a link that works for 48 hours, review the report,
        and tell you by email whether it was approved or turned down. We may turn down any report,
        and shorten or mask what should not be published.
      </p>
      <p>
        A false report can harm somebody and can make you liable to them. You answer for what you
        submit, and you bear the cost of claims against us that arise from it.
      </p>

      <h2 id="published">3. What is published</h2>
      <p>
        Of an approved report everybody sees: the reported person's name, city, state and country;
        the title and the description; amounts, dates, reasons and statuses; the order or tracking
        number; the bank's name; and the public company name, if you give one. Everybody sees only a
        masked form of the person's email, phone, bank account and card.
      </p>
      <p>
        Not published are the person's middle initial, street, ZIP and IP addresses, the item
        purchased, your notes, check and routing numbers, and all that identifies you: name, email,
        phone and company. We keep these encrypted and use them to review the report, to recognize
        the same person in another report, and to answer the law. Each time somebody of ours opens
        them, it is recorded.
      </p>

      <h2 id="permanent">4. Reports are public and permanent</h2>
      <p>
        An approved report stays. Whoever submitted it cannot edit it, withdraw it or have it
        removed, not even after being paid. The only change that is open to you is the RESOLVED
        banner of section 5. Think before you submit.
      </p>
      <p>
        This binds you, and it does not bind the law. We correct or remove a report ourselves where
        a court orders it, where it turns out to be false, a duplicate or spam, where it infringes
        somebody's rights, or where the reported person can demand it by law. What was removed
        answers no more, and its personal data is destroyed.
      </p>

      <h2 id="resolved">5. The RESOLVED banner</h2>
      <p>
        When the matter of a report is settled, the report can carry a RESOLVED banner. It costs
        $250.00, which are not refunded, and it takes a notarized letter in which the merchant who
        reported states that the matter is settled. Write to {contact} to apply. The banner is added
        to the report; the report itself stays as it is.
      </p>

      <h2 id="verification">6. Not independently verified</h2>
      <p>
        Reports are the words of those who submit them. Our review looks for completeness, for
        plausibility and for abuse; it does not establish facts. Names are shared by many people: a
        report about somebody of the same name may be about somebody else. A person is marked as a
        habitual offender only when several approved reports agree on the name and on at least one
        of email, phone, card, bank account, or street with ZIP; that, too, counts reports and is
        not a finding.
      </p>

      <h2 id="reading">7. Searching and reading</h2>
      <p>You may use what is published to decide about a payment of your own. You may not</p>
      <ul>
        <li>
          use it to decide about employment, credit, insurance, housing or anything else for which
          the law requires a consumer report: this registry is no consumer reporting agency;
        </li>
        <li>contact, threaten or shame a person because of what stands here;</li>
        <li>copy the registry by automated means, or get around its limits on searches;</li>
        <li>try to learn what is masked, or who submitted a report.</li>
      </ul>

      <h2 id="objection">8. If you are named in a report</h2>
      <p>
        You can object. Write to {contact}, name the address of the report, and say what is wrong
        and how it can be shown. We look at every objection and correct or remove what should not
        stand.
      </p>

      <h2 id="copyright">9. Copyright</h2>
      <p>
        You keep the rights to what you write and allow us to publish it with the report for as long
        as the report stands. If something here infringes your copyright, send a notice under the
        Digital Millennium Copyright Act to {contact}.
      </p>

      <h2 id="privacy">10. Your data</h2>
      <p>
        We use the email address of a reporter for the mails about that report and for nothing else.
        We keep the IP address and the browser of whoever submits or changes something, encrypted,
        as evidence. We do not sell data about reporters or visitors, and we show no advertisements.
      </p>

      <h2 id="liability">11. No warranty, limits of liability</h2>
      <p>
        The registry is offered as it is. We do not promise that it is complete, correct or always
        there. As far as the law allows, we are not liable for what others submit, for decisions
        made on it, or for indirect loss. Nothing here limits a liability that the law does not let
        us limit.
      </p>

      <h2 id="changes">12. Changes</h2>
      <p>
        We may change these terms. The version you agreed to is kept with your report and stays the
        one that applies to it. Questions go to {contact}.
      </p>
      <p className={styles.end}>
        <Link to={paths.submitReport}>Submit a report</Link>
      </p>
    </article>
  );
}
