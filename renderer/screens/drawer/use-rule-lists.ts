import { useEffect, useReducer, useRef } from 'react';
import { useAppContext } from '../../app/desk.ts';
import { type FindingFacts, type Found, findings } from '../../data/finding-questions.ts';
import { createPagedList, type PagedList } from '../../data/paged-list.ts';

interface OpenList {
  readonly list: PagedList<Found, FindingFacts>;
  readonly close: () => void;
}

/** The findings of the rules that are unfolded, each a list of its own, read by the pages in view. */
export interface RuleLists {
  /** Undefined while the rule is folded. */
  of(rule: string): PagedList<Found, FindingFacts> | undefined;
  toggle(rule: string): void;
}

/** Begins with every rule folded. For one account and scope: another one is another mounting. */
export function useRuleLists(workspaceId: string, campaignId: number | null): RuleLists {
  const { connection, events } = useAppContext();
  const [, draw] = useReducer((times: number) => times + 1, 0);
  const open = useRef(new Map<string, OpenList>());
  useEffect(() => {
    const lists = open.current;
    return () => {
      for (const { close } of lists.values()) close();
      lists.clear();
    };
  }, []);
  return {
    of: (rule) => open.current.get(rule)?.list,
    toggle: (rule) => {
      const known = open.current.get(rule);
      if (known !== undefined) {
        known.close();
        open.current.delete(rule);
      } else {
        const list = createPagedList(connection.client, events, findings(workspaceId, campaignId, rule));
        const unsubscribe = list.subscribe(draw);
        const end = list.open();
        const close = (): void => {
          unsubscribe();
          end();
        };
        open.current.set(rule, { list, close });
      }
      draw();
    },
  };
}
