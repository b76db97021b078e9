import { useCallback, useState } from 'react';

/** Whether something is under way that was asked for with a press, and what waits for it. It is over when it fails, too. */
export function useBusy(): readonly [busy: boolean, during: <T>(work: Promise<T>) => Promise<T>] {
  const [busy, setBusy] = useState(false);
  const during = useCallback(async <T>(work: Promise<T>): Promise<T> => {
    setBusy(true);
    return work.finally(() => setBusy(false));
  }, []);
  return [busy, during];
}
