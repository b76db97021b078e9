import type { StateCreator } from 'zustand';
import type { NavigationSlice } from './navigation-slice.ts';

/** Which entry of the inbox is in front; null shows the first one. */
export interface InboxSlice {
  readonly inboxEntry: string | null;
  readonly chooseInboxEntry: (id: string | null) => void;
  /** Goes to the inbox, with this entry in front. */
  readonly openInbox: (id: string | null) => void;
}

export const createInboxSlice: StateCreator<InboxSlice & NavigationSlice, [], [], InboxSlice> = (set) => ({
  inboxEntry: null,
  chooseInboxEntry: (inboxEntry) => set({ inboxEntry }),
  openInbox: (inboxEntry) => set({ inboxEntry, place: 'inbox' }),
});
