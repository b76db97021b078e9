import { NEWS_MAX, type NewsEntry, NewsText } from '../shared/contract/news.ts';
import { createTurns } from '../shared/in-turn.ts';
import type { Workspace } from './workspace/port.ts';

/** What happened in one account while nobody looked, kept in its file, newest first. */
export interface AccountNews {
  list(): Promise<readonly NewsEntry[]>;
  note(entry: NewsEntry): Promise<readonly NewsEntry[]>;
  clear(): Promise<readonly NewsEntry[]>;
}

const KEY = 'news';
/** Windows that tell of the same thing do so within this time. */
const SAME_MS = 60_000;

export function createAccountNews(workspace: Pick<Workspace, 'getMeta' | 'setMeta'>): AccountNews {
  const list = async (): Promise<readonly NewsEntry[]> => NewsText.parse((await workspace.getMeta(KEY)) ?? '[]');
  const write = async (entries: readonly NewsEntry[]): Promise<readonly NewsEntry[]> => {
    await workspace.setMeta(KEY, JSON.stringify(entries));
    return entries;
  };
  /** One after the other: each change starts from what the one before has written. */
  const inTurn = createTurns();
  return {
    list,
    note: (entry) =>
      inTurn(async () => {
        const known = await list();
        const isKnown = known.some(
          ({ at, text, place }) => text === entry.text && place === entry.place && Math.abs(entry.at - at) < SAME_MS,
        );
        return isKnown ? known : write([entry, ...known].toSorted((a, b) => b.at - a.at).slice(0, NEWS_MAX));
      }),
    clear: () => inTurn(() => write([])),
  };
}
