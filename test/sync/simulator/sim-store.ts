import type { OutboxClient } from '../../../main/store/outbox/ops.ts';
import type { EditBatch } from '../../../main/store/types.ts';
import type { CampaignTree } from '../../../shared/model/campaign-tree.ts';
import type { AnyRow, Row } from '../../../shared/model/row.ts';
import type { RowId } from '../../../shared/model/scalars.ts';

export type OutboxName = keyof OutboxClient;
type ArgsOf<Name extends OutboxName> = Parameters<OutboxClient[Name]>[0];
export type AnswerOf<Name extends OutboxName> = Awaited<ReturnType<OutboxClient[Name]>>;

/**
 * A store as the simulator needs it. There are three: the real one on SQLite in memory, a model of it in plain
 * objects that is some twenty times as fast, and both side by side, which proves that the model is the same.
 * Every call is one transaction.
 */
export interface SimStore {
  setNow(nowMs: number): void;
  outbox<Name extends OutboxName>(name: Name, args?: ArgsOf<Name>): AnswerOf<Name>;
  readTrees(which: 'all' | readonly RowId[]): readonly CampaignTree[];
  readMedia(): readonly Row<'media'>[];
  getMeta(key: string): string | null;
  setMeta(key: string, value: string): void;
  /** What a user does; an edit that is refused changes nothing. @returns whether it was accepted */
  apply(edit: EditBatch): boolean;
  /** Every row but media, by kind and id. */
  rows(): readonly AnyRow[];
  /** The frozen body of the intent with this correlation id. */
  bodyOf(correlationId: string): string | null;
  /** Live sends, without a transaction: a look from outside. */
  liveOps(): readonly LiveLook[];
  /** How many sends there ever were. */
  opCount(): number;
  close(): void;
}

export interface LiveLook {
  readonly kind: string;
  readonly rowId: number;
  readonly verb: string;
  readonly state: string;
  readonly correlationId: string;
}

export const rowsOfTrees = (trees: readonly CampaignTree[]): readonly AnyRow[] =>
  trees.flatMap((tree): readonly AnyRow[] => [
    tree.campaign,
    ...tree.adGroups,
    ...tree.adItems,
    ...tree.keywords,
    ...tree.sbaProfiles,
    ...tree.placementMultipliers,
    ...tree.platformMultipliers,
  ]);
