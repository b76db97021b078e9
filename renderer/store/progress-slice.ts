import type { StateCreator } from 'zustand';
import type { AppEvent } from '../../shared/contract/app.ts';

export type SyncProgress = Extract<AppEvent, { type: 'sync.progress' }>;
type WorkProgress = Extract<AppEvent, { type: 'work.progress' }>;
type JobProgress = Extract<AppEvent, { type: 'bulk.progress' }>;
type UploadProgress = Extract<AppEvent, { type: 'upload.progress' }>;

interface Copying {
  readonly done: number;
  readonly total: number;
  readonly stop: () => void;
}

/** The newest progress main announced, by workspace and by file. It is gone after a reload; the report is not. */
export interface ProgressSlice {
  readonly syncs: Readonly<Record<string, SyncProgress>>;
  readonly uploads: Readonly<Record<number, UploadProgress>>;
  /** How far a tool over many rows is, by its job. */
  readonly jobs: Readonly<Record<string, { readonly done: number; readonly total: number }>>;
  /** What takes a while and is not over, by its id. */
  readonly works: Readonly<Record<string, WorkProgress>>;
  readonly noteWork: (progress: WorkProgress) => void;
  /** A long range on its way to the clipboard, in rows; null when there is none. */
  readonly copying: Copying | null;
  readonly noteCopying: (copying: Copying | null) => void;
  readonly noteSync: (progress: SyncProgress) => void;
  readonly noteUpload: (progress: UploadProgress) => void;
  readonly noteJob: (progress: JobProgress) => void;
}

export const createProgressSlice: StateCreator<ProgressSlice> = (set) => ({
  syncs: {},
  uploads: {},
  jobs: {},
  copying: null,
  works: {},
  noteWork: (progress) =>
    set(({ works }) => {
      const { [progress.workId]: _, ...others } = works;
      return { works: progress.isOver ? others : { ...others, [progress.workId]: progress } };
    }),
  noteCopying: (copying) => set(() => ({ copying })),
  noteSync: (progress) => set(({ syncs }) => ({ syncs: { ...syncs, [progress.workspaceId]: progress } })),
  noteJob: ({ jobId, done, total }) => set(() => ({ jobs: { [jobId]: { done, total } } })),
  noteUpload: (progress) => set(({ uploads }) => ({ uploads: { ...uploads, [progress.mediaId]: progress } })),
});
