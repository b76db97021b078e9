import { NEWS_MAX, type NewsEntry, NewsText } from '../shared/contract/news.ts';
import { keptList } from './kept-list.ts';
import type { Workspace } from './workspace/store.ts';

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
  const kept = keptList(workspace, KEY, (text) => NewsText.parse(text ?? '[]'));
  return {
    list: kept.read,
    note: (entry) => kept.change((known) => withEntry(known, entry)),
    clear: () => kept.change(() => []),
  };
}

function withEntry(known: readonly NewsEntry[], entry: NewsEntry): readonly NewsEntry[] {
  const isKnown = known.some(
    ({ at, text, place }) => text === entry.text && place === entry.place && Math.abs(entry.at - at) < SAME_MS,
  );
  return isKnown ? known : [entry, ...known].toSorted((a, b) => b.at - a.at).slice(0, NEWS_MAX);
}
