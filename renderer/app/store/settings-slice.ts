import type { StateCreator } from 'zustand';
import type { SettingsSection } from '../settings-list.ts';
import type { Dialog } from './dialog.ts';
import type { NavigationSlice, Place } from './navigation-slice.ts';

/** Campaigns to add by ID, because they are on the service and not here. */
export interface CampaignsToAdd {
  /** The initial text of the field. */
  readonly text: string;
  readonly source: 'pasted' | 'report' | 'sheet';
  /** The import that named them, to return to. */
  readonly sheet?: Dialog;
}

interface OpenSettings {
  readonly section: SettingsSection;
  /** The setting to focus, by its ID in `SETTINGS`; null for the section as a whole. */
  readonly setting: string | null;
  readonly add: CampaignsToAdd | null;
  /** The page that Escape returns to. */
  readonly from: Place;
}

export interface SettingsSlice {
  readonly settings: OpenSettings;
  readonly openSettings: (
    section: SettingsSection,
    more?: { readonly setting?: string | null; readonly add?: CampaignsToAdd },
  ) => void;
  readonly closeSettings: () => void;
}

export const createSettingsSlice: StateCreator<SettingsSlice & NavigationSlice, [], [], SettingsSlice> = (set) => ({
  settings: { section: 'appearance', setting: null, add: null, from: 'rows' },
  openSettings: (section, { setting = null, add = null } = {}) =>
    set(({ place, settings }) => {
      const from = place === 'settings' ? settings.from : place;
      return { place: 'settings', settings: { section, setting, add, from } };
    }),
  closeSettings: () => set(({ settings }) => ({ place: settings.from })),
});
