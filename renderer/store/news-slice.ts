import type { StateCreator } from 'zustand';
import type { DeskState } from './desk-store.ts';

/** Where an entry leads. */
export type NewsPlace = 'sync' | 'reviews' | 'media' | 'backups';

/** Something that happened by itself. */
export interface News {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly workspaceId: string | null;
  readonly tone: 'good' | 'bad' | 'plain';
  readonly text: string;
  readonly place: NewsPlace | null;
}

/** What happened while nobody looked, newest first; gone with the window, as main keeps the facts themselves. */
export interface NewsSlice {
  readonly news: readonly News[];
  readonly unread: number;
  readonly noteNews: (entry: Omit<News, 'id'>) => void;
  readonly readNews: () => void;
  readonly clearNews: () => void;
}

const NEWS_MAX = 100;

export const createNewsSlice: StateCreator<DeskState, [], [], NewsSlice> = (set) => ({
  news: [],
  unread: 0,
  noteNews: (entry) =>
    set(({ news, unread }) => ({
      news: [{ ...entry, id: (news[0]?.id ?? 0) + 1 }, ...news].slice(0, NEWS_MAX),
      unread: Math.min(NEWS_MAX, unread + 1),
    })),
  readNews: () => set({ unread: 0 }),
  clearNews: () => set({ news: [], unread: 0 }),
});
