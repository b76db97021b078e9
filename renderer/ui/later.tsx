import { type ReactNode, useEffect, useState } from 'react';

/**
 * A part of the window whose code comes when it is drawn for the first time, and is drawn as soon as it is there. React's
 * own `lazy` shows what it has kept back no sooner than 300 ms after it began to, which is longer than a dialog takes.
 *
 * @param load answers the component; what it throws goes to the nearest boundary
 * @param waiting what stands there meanwhile
 */
export function later<Props extends object>(
  load: () => Promise<(props: Props) => ReactNode>,
  waiting: ReactNode = null,
): (props: Props) => ReactNode {
  let known: ((props: Props) => ReactNode) | null = null;
  return function Later(props) {
    const [Part, setPart] = useState(() => known);
    const [failure, setFailure] = useState<{ readonly cause: unknown } | null>(null);
    useEffect(() => {
      if (Part !== null) return;
      let gone = false;
      load().then(
        (part) => {
          known = part;
          if (!gone) setPart(() => part);
        },
        (cause: unknown) => {
          if (!gone) setFailure({ cause });
        },
      );
      return () => {
        gone = true;
      };
    }, [Part]);
    if (failure !== null) throw failure.cause;
    return Part === null ? waiting : <Part {...props} />;
  };
}
