import type { StateCreator } from 'zustand';
import type { DeskState } from './desk-store.ts';

/** What a screen reader is told next; changed text is spoken. */
export interface AnnouncementSlice {
  readonly announcement: string;
  readonly announce: (text: string) => void;
}

export const createAnnouncementSlice: StateCreator<DeskState, [], [], AnnouncementSlice> = (set) => ({
  announcement: '',
  announce: (announcement) => set({ announcement }),
});
