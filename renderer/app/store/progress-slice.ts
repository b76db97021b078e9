import type { StateCreator } from 'zustand';
import type { AppEvent } from '../../../shared/api/app.ts';

export type SyncProgress = Extract<AppEvent, { type: 'sync.progress' }>;
type TaskProgress = Extract<AppEvent, { type: 'task.progress' }>;
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
  /** What takes a while and is not over, by its id. */
  readonly tasks: Readonly<Record<string, TaskProgress>>;
  readonly noteTask: (progress: TaskProgress) => void;
  /** A long range on its way to the clipboard, in rows; null when there is none. */
  readonly copying: Copying | null;
  readonly noteCopying: (copying: Copying | null) => void;
  readonly noteSync: (progress: SyncProgress) => void;
  readonly noteUpload: (progress: UploadProgress) => void;
}

export const createProgressSlice: StateCreator<ProgressSlice> = (set) => ({
  syncs: {},
  uploads: {},
  copying: null,
  tasks: {},
  noteTask: (progress) =>
    set(({ tasks }) => {
      const { [progress.taskId]: _, ...others } = tasks;
      return { tasks: progress.isOver ? others : { ...others, [progress.taskId]: progress } };
    }),
  noteCopying: (copying) => set(() => ({ copying })),
  noteSync: (progress) => set(({ syncs }) => ({ syncs: { ...syncs, [progress.workspaceId]: progress } })),
  noteUpload: (progress) => set(({ uploads }) => ({ uploads: { ...uploads, [progress.mediaId]: progress } })),
});
