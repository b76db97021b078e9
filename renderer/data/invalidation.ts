import type { Kind } from '../../shared/model/kinds.ts';
import type { DeskEvent } from './events.ts';

/** After which events an answer may differ: each question names one of these. */
type Outdated = (event: DeskEvent) => boolean;

export const never: Outdated = () => false;

/** Cells, rows, notes, history, or what checks say of rows. */
export const changed =
  (workspaceId: string): Outdated =>
  (event) =>
    event.type === 'workspace.changed' && event.workspaceId === workspaceId;

/**
 * Anything but what checks say of rows. After a large edit checks go on for a while and are told every now and then; a
 * question that does not ask for findings need not be asked again each time.
 */
export const edited =
  (workspaceId: string): Outdated =>
  (event) =>
    event.type === 'workspace.changed' && event.workspaceId === workspaceId && event.only === undefined;

export const changedKind =
  (workspaceId: string, kind: Kind): Outdated =>
  (event) =>
    event.type === 'workspace.changed' && event.workspaceId === workspaceId && event.kinds.includes(kind);

const synced =
  (workspaceId: string): Outdated =>
  (event) =>
    (event.type === 'sync.progress' || event.type === 'sync.pending') && event.workspaceId === workspaceId;

export const changedOrSynced = (workspaceId: string): Outdated => either(changed(workspaceId), synced(workspaceId));

export const editedOrSynced = (workspaceId: string): Outdated => either(edited(workspaceId), synced(workspaceId));

/** A report that the service makes in the background has come further. */
export const reportJob =
  (workspaceId: string): Outdated =>
  (event) =>
    event.type === 'report.job' && event.workspaceId === workspaceId;

export const either =
  (one: Outdated, other: Outdated): Outdated =>
  (event) =>
    one(event) || other(event);
