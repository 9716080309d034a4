import { useEffect, useRef, useState } from "react";
import { Form, useLoaderData, useLocation } from "react-router-dom";
import type { FaqItem } from "#contracts/http/content.ts";
import { Button } from "../../components/Button.tsx";
import { PageHead } from "../../components/PageHead.tsx";
import { Prose } from "../../components/Prose.tsx";
import { paths } from "../../config/paths.ts";
import { useSiteConfig } from "../../config/site-config.tsx";
import styles from "./FaqPage.module.css";
import type { FaqData } from "./faq.loader.ts";
import { writeFaqCache } from "./faq.loader.ts";

/** Frequently asked questions, each of which can be expanded. The search works without JavaScript. */
export function Component() {
  const { supportEmail } = useSiteConfig();
  const data = useLoaderData<FaqData>();
  const { items, isStale } = useNewest(data);
  const [text, setText] = useTyped(data.text);
  const found = findAnswers(items, text);
  return (
    <div className={styles.page}>
      <PageHead
        title="Frequently asked questions"
        description="What the registry is, how to report, what is published, what it costs and how to get something corrected."
        path={paths.faq}
      />
      <h1 tabIndex={-1}>Frequently asked questions</h1>
      <Form action={paths.faq} role="search" className={styles.search} replace>
        <label htmlFor="faq-q" className="visually-hidden">
          Search the questions
        </label>
        <input
          id="faq-q"
          name="q"
          type="search"
          maxLength={200}
          placeholder="Search the questions"
          autoComplete="off"
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Button type="submit" kind="secondary">
          Search
        </Button>
      </Form>
      {isStale && (
        <p className={styles.stale} role="status">
          The registry didn't respond. These are the answers from your last visit.
        </p>
      )}
      <p className="visually-hidden" role="status">
        {text && `${found.length} of ${items.length} questions`}
      </p>
      {found.length > 0 ? (
        <Questions items={found} open={text !== ""} />
      ) : (
        <p className={styles.empty}>
          No questions match. Write to <a href={`mailto:${supportEmail}`}>{supportEmail}</a>.
        </p>
      )}
    </div>
  );
}

function Questions({ items, open }: { items: readonly FaqItem[]; open: boolean }) {
  const list = useRef<HTMLDivElement>(null);
  const { hash } = useLocation();
  // Browsers open a URL's question on page load by themselves, but not for a link within the site.
  useEffect(() => {
    const target = hash && list.current?.querySelector(`[id="${CSS.escape(hash.slice(1))}"]`);
    if (!target) return;
    const question = target.closest("details");
    if (question) question.open = true;
    target.scrollIntoView();
  }, [hash]);
  return (
    <div ref={list} className={styles.list}>
      {items.map(({ id, question, answer }) => (
        <details key={id} className={styles.item} open={open}>
          <summary className={styles.question}>
            <h2>{question}</h2>
          </summary>
          <div id={id} className={styles.answer}>
            <Prose html={answer} />
            <p className={styles.anchor}>
              <a href={`#${id}`}>Link to this answer</a>
            </p>
          </div>
        </details>
      ))}
    </div>
  );
}

/** Shows the cached list until the server's arrives, which is then cached. */
function useNewest({ items, newest }: FaqData) {
  const [later, setLater] = useState<{ of: FaqData["newest"]; items: readonly FaqItem[] | null }>();
  useEffect(() => {
    if (!newest) return writeFaqCache(items);
    let isCurrent = true;
    void newest.then((list) => {
      if (list) writeFaqCache(list);
      if (isCurrent) setLater({ of: newest, items: list });
    });
    return () => {
      isCurrent = false;
    };
  }, [items, newest]);
  const answered = newest && later?.of === newest ? later : undefined;
  return { items: answered?.items ?? items, isStale: answered?.items === null };
}

/** State of the search field. Resets to the URL's query after navigating back or forward. */
function useTyped(shown: string) {
  const [typed, setTyped] = useState({ shown, text: shown });
  if (typed.shown !== shown) setTyped({ shown, text: shown });
  const setText = (text: string) => setTyped({ shown, text });
  return [typed.shown === shown ? typed.text : shown, setText] as const;
}

/** Returns the items whose question or answer contains every word of the text, in order. */
export function findAnswers(items: readonly FaqItem[], text: string): readonly FaqItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter(({ question, answer }) => {
    const searched = `${question} ${answer.replace(/<[^>]*>/g, " ")}`.toLowerCase();
    return words.every((word) => searched.includes(word));
  });
}
