import type { BulkTool } from '../../../shared/api/bulk.ts';
import type { RowRef } from '../../../shared/api/scalars.ts';
import type { LogPlace, PushAnswer, TeamEntry } from '../../../shared/team/position.ts';
import type { BulkRows } from '../bulk/bulk-rows.ts';
import type { NoteCommand } from '../notes/note-commands.ts';
import type { MarkedRows } from '../reader/row-metrics.ts';
import type { Whole } from '../team/snapshot.ts';
import type { TeamPerson, TeamPlace } from '../team/team.ts';
import type { WriterContext } from './create-store.ts';

type Store = WriterContext['store'];
/** Arguments of an operation of the store after its first. */
type Of<Name extends keyof Store> = Store[Name] extends (...args: infer Args) => unknown ? Args : never;

/**
 * Edits in the writer thread beyond the operations of the contract: one transaction each, durable when the promise
 * resolves. A failure rolls it back; an error of the disk is returned as `NotWritable`.
 */
export const edits = {
  apply: ({ store }: WriterContext, ...args: Of<'apply'>) => store.apply(...args),
  /** Writes a saved view, a label or a comment; returns its ID. */
  note: ({ store }: WriterContext, command: NoteCommand) => store.note(command),
  /** Runs a bulk tool as one step; a canceled tool changes nothing. */
  applyToolTo: ({ store, task }: WriterContext, rows: readonly BulkRows[], tool: BulkTool, label: string) =>
    store.applyTool(rows, tool, label, task),
};

/**
 * Writes that are no edits, in the writer thread: one transaction each. A disk error is thrown. Writes of the outbox
 * for syncs are in `outbox/ops.ts`.
 */
export const writes = {
  /** Writes fields that only the service or the upload changes (media state, review status), outside the history. */
  setServiceFields: ({ store }: WriterContext, ...args: Of<'setServiceFields'>) => store.setServiceFields(...args),
  /** Makes the account one of a team, or gives a copied file its own computer number. */
  teamJoin: ({ store }: WriterContext, place: TeamPlace): void => store.team.join(place),
  /** Adds a block of IDs for new rows. */
  teamBlock: ({ store }: WriterContext, first: number, count: number): void => void store.team.block(first, count),
  /** Stores names of members, for the history and for conflicts. */
  teamPeople: ({ store }: WriterContext, people: readonly TeamPerson[]): void => store.team.people(people),
  /** The next push, recorded as offered; null if there is nothing to share. */
  teamOffer: ({ store }: WriterContext) => store.team.offer(),
  teamAnswer: ({ store }: WriterContext, answer: PushAnswer): void => store.team.answer(answer),
  /** Takes a page of the log, in one transaction. */
  teamFold: ({ store }: WriterContext, entries: readonly TeamEntry[]) => store.team.fold(entries),
  /** Records that the log was read to its end. */
  teamPulled: ({ store }: WriterContext): void => store.team.pulled(),
  /** Reverts entries that the database has lost, back to an entry that it still has; false if that is too old. */
  teamForget: ({ store }: WriterContext, toSeq: number): boolean => store.team.forget(toSeq),
  /** Resolves a conflict with a colleague, by the user or a policy; false if it is over. `field` null is about the row. */
  teamPick: (
    { store }: WriterContext,
    ref: RowRef,
    field: string | null,
    take: 'mine' | 'theirs',
    rule: string | null = null,
  ): boolean => store.team.pick(ref, field, take, rule),
  teamTakePart: ({ store }: WriterContext, bytes: Uint8Array, no: number, place: LogPlace): string | null =>
    store.team.takePart(bytes, no, place),
  teamTakenTo: ({ store }: WriterContext, whole: Whole): void => store.team.takenTo(whole),
  teamLeave: ({ store }: WriterContext): void => store.team.leave(),
  /** Stores the marks of rules with metrics, which rows of edits use until these rules are searched again. */
  markRows: ({ store }: WriterContext, marked: readonly MarkedRows[]): void => store.markRows(marked),
  /** Writing one of `rows/rule-settings.ts` checks everything again. */
  setMeta: ({ store }: WriterContext, key: string, value: string): void => store.setMeta(key, value),
};
