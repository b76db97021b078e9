import type { StateCreator } from 'zustand';

/** What a screen reader is told next; changed text is spoken. */
export interface AnnouncementSlice {
  readonly announcement: string;
  readonly announce: (text: string) => void;
}

export const createAnnouncementSlice: StateCreator<AnnouncementSlice> = (set) => ({
  announcement: '',
  announce: (announcement) => set({ announcement }),
});
