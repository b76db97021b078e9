import type { StateCreator } from 'zustand';

/** Where an entry leads. */
export type NotificationTarget = 'sync' | 'reviews' | 'changes' | 'media' | 'backups' | 'access' | 'reports';

/** Something that happened by itself. */
export interface AppNotification {
  readonly id: number;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly workspaceId: string | null;
  readonly tone: 'good' | 'bad' | 'plain';
  readonly text: string;
  readonly place: NotificationTarget | null;
}

/** What happened while nobody looked, newest first; main keeps what is about an account for the next window. */
export interface NotificationSlice {
  readonly news: readonly AppNotification[];
  readonly unread: number;
  readonly noteNews: (entry: Omit<AppNotification, 'id'>) => void;
  /** What main has kept of an account joins what this window saw. */
  readonly bringBackNews: (workspaceId: string, kept: readonly Omit<AppNotification, 'id' | 'workspaceId'>[]) => void;
  readonly readNews: () => void;
  readonly clearNews: () => void;
}

const NEWS_MAX = 100;
/** An entry may come as an event and in a list. */
const keyOf = ({ workspaceId, at, text }: Omit<AppNotification, 'id'>): string => `${workspaceId} ${at} ${text}`;

export const createNewsSlice: StateCreator<NotificationSlice> = (set) => ({
  news: [],
  unread: 0,
  noteNews: (entry) =>
    set(({ news, unread }) => {
      if (news.some((each) => keyOf(each) === keyOf(entry))) return {};
      return {
        news: [{ ...entry, id: (news[0]?.id ?? 0) + 1 }, ...news].slice(0, NEWS_MAX),
        unread: Math.min(NEWS_MAX, unread + 1),
      };
    }),
  bringBackNews: (workspaceId, kept) =>
    set(({ news }) => {
      const seen = new Set(news.map(keyOf));
      const back = kept.map((entry) => ({ ...entry, workspaceId })).filter((entry) => !seen.has(keyOf(entry)));
      const all = [...news, ...back].toSorted((a, b) => b.at - a.at);
      return { news: all.slice(0, NEWS_MAX).map((entry, i) => ({ ...entry, id: all.length - i })) };
    }),
  readNews: () => set({ unread: 0 }),
  clearNews: () => set({ news: [], unread: 0 }),
});
