import { useEffect, useState } from 'react';

const QUARTER_MINUTE_MS = 15_000;

/** The current time for texts such as "next try at", updated at an interval in milliseconds. */
export function useNow(tickMs = QUARTER_MINUTE_MS): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), tickMs);
    return () => clearInterval(timer);
  }, [tickMs]);
  return now;
}
