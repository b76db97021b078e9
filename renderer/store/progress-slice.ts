import type { StateCreator } from 'zustand';
import type { AppEvent } from '../../shared/contract/app.ts';
import type { DeskState } from './desk-store.ts';

export type SyncProgress = Extract<AppEvent, { type: 'sync.progress' }>;
type UploadProgress = Extract<AppEvent, { type: 'upload.progress' }>;

/** The newest progress main announced, by workspace and by file. It is gone after a reload; the report is not. */
export interface ProgressSlice {
  readonly syncs: Readonly<Record<string, SyncProgress>>;
  readonly uploads: Readonly<Record<number, UploadProgress>>;
  readonly noteSync: (progress: SyncProgress) => void;
  readonly noteUpload: (progress: UploadProgress) => void;
}

export const createProgressSlice: StateCreator<DeskState, [], [], ProgressSlice> = (set) => ({
  syncs: {},
  uploads: {},
  noteSync: (progress) => set(({ syncs }) => ({ syncs: { ...syncs, [progress.workspaceId]: progress } })),
  noteUpload: (progress) => set(({ uploads }) => ({ uploads: { ...uploads, [progress.mediaId]: progress } })),
});
