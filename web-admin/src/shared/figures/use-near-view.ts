import { type RefObject, useEffect, useRef, useState } from "react";

/** How far below the window something is near, in CSS pixels. */
const NEAR = "200px";

/** Whether the element was ever in or near the window, so that what is far down can wait. */
export function useNearView<E extends Element>(): readonly [RefObject<E | null>, boolean] {
  const element = useRef<E>(null);
  const [isNear, setNear] = useState(false);
  useEffect(() => {
    if (isNear || !element.current) return;
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true);
      },
      { rootMargin: NEAR },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [isNear]);
  return [element, isNear];
}
