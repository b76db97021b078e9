import { canonicalCell, isSameCell } from '../merge/merge.ts';
import { type CampaignTree, treeRows } from '../model/campaign-tree.ts';
import type { Cell, FieldSpec } from '../model/field-types.ts';
import { type AnyValues, fieldSpec, fieldSpecs } from '../model/fields.ts';
import type { Kind } from '../model/kinds.ts';
import { type AnyRow, cellOf, changedFields, isDeleted, isNew, type Row, rowKey } from '../model/row.ts';
import type { RowId } from '../model/scalars.ts';
import type { Plan, SignOffOf } from './plan-types.ts';

type Media = Pick<CampaignTree, 'media'>['media'];

/**
 * The content of a row to be sent, as text for a digest: the operation, the sent fields in the form used for
 * comparison, and files by their content. It is the same on every computer of a team, and stays the same while a run
 * sends the row in several requests.
 */
export function contentOf(row: AnyRow, media: Media): string {
  const { kind, id, campaignId, adGroupId } = row;
  // To the service a delete is the change of one field.
  const cells = isDeleted(row)
    ? [kind === 'keyword' ? ['state', 'archived'] : ['status', 'deleted']]
    : cellsOf(row, carriedFields(row), media);
  return JSON.stringify(
    isCreate(row) ? [kind, id, 'create', campaignId, adGroupId, cells] : [kind, id, 'update', cells],
  );
}

const isCreate = (row: AnyRow): boolean => isNew(row) && row.remoteId === null;

/** The fields that requests for a row can contain. */
const carriedFields = (row: AnyRow): readonly string[] =>
  isCreate(row)
    ? Object.entries<FieldSpec>(fieldSpecs(row.kind)).flatMap(([name, { bit }]) => (bit === null ? [] : [name]))
    : changedFields(row.kind, row.dirty);

/** The sign-offs that a plan depends on. */
export interface SignOffs {
  /** Changes when the plan may change. */
  readonly version: string;
  readonly of: SignOffOf;
  readonly digestOf: (content: string) => string;
}

/** A row that a member submits for sign-off. */
export interface OfferedRow {
  readonly kind: Kind;
  readonly id: RowId;
  readonly campaignId: RowId;
  /** The content to be sent; then the possible remainders after its first request has sent a part. */
  readonly contents: readonly string[];
  /** Number of requests until nothing is left. */
  readonly steps: number;
}

/**
 * The rows that a plan sends. One request may not send all of a row: a profile's logo has a separate call, and a row
 * to be paused is created enabled. A sign-off applies to all of it, so the remainders are listed as well.
 */
export function offeredRows(plan: Plan, trees: readonly CampaignTree[]): readonly OfferedRow[] {
  const elements = plan.batches.flatMap(({ kind, elements }) =>
    kind === 'review' || kind === 'media' ? [] : elements,
  );
  const sent = Map.groupBy(elements, ({ kind, id }) => rowKey(kind, id));
  return trees.flatMap((tree) =>
    treeRows(tree).flatMap((row) => {
      const requests = sent.get(rowKey(row.kind, row.id))?.map(({ sent: values }) => values);
      return requests === undefined ? [] : [offeredRow(row, tree.campaign.id, tree.media, requests)];
    }),
  );
}

function offeredRow(row: AnyRow, campaignId: RowId, media: Media, requests: readonly AnyValues[]): OfferedRow {
  const contents = [contentOf(row, media)];
  const isLeft = (field: string, sent: AnyValues): boolean =>
    field in sent
      ? !isSameCell(row.kind, field, cellOf(row.values, field), cellOf(sent, field))
      : cellOf(row.values, field) !== null || !isCreate(row);
  const [first, ...others] = requests;
  const behindFirst = isDeleted(row) ? [] : carriedFields(row).filter((field) => isLeft(field, first ?? {}));
  const left = others.reduce((fields, sent) => fields.filter((field) => isLeft(field, sent)), behindFirst);
  for (const fields of partsOf(behindFirst))
    contents.push(JSON.stringify([row.kind, row.id, 'update', cellsOf(row, fields, media)]));
  return { kind: row.kind, id: row.id, campaignId, contents, steps: requests.length + (left.length > 0 ? 1 : 0) };
}

/** Possible remainders of a few fields after some were sent, in any order; of many fields, only all of them. */
function partsOf(fields: readonly string[]): readonly (readonly string[])[] {
  if (fields.length > LEFT_MAX) return [fields];
  return Array.from({ length: 2 ** fields.length - 1 }, (_, part) =>
    fields.filter((_field, at) => ((part + 1) & (1 << at)) !== 0),
  );
}

/** No request leaves more than a logo, a status and an end. */
const LEFT_MAX = 4;

function cellsOf(row: AnyRow, fields: readonly string[], media: Media): readonly (readonly [string, unknown])[] {
  return fields.map((field) => {
    const cell = cellOf(row.values, field);
    const isFile = fieldSpec(row.kind, field)?.type.is === 'ref';
    return [field, isFile ? fileOf(cell, media) : canonicalCell(row.kind, field, cell)];
  });
}

/** A file by its content, with the data sent with it; a video that is only on the service by its ID. */
function fileOf(cell: Cell, media: Media): unknown {
  const find = (id: Cell): Row<'media'> | undefined => media.find((row) => row.id === id);
  const file = find(cell);
  if (file === undefined) return cell;
  const { sha256, mediaName, mediaType, caption } = file.values;
  if (sha256 === null) return `service:${file.remoteId}`;
  return mediaType === 'video' ? [sha256, mediaName, find(caption)?.values.sha256 ?? null] : sha256;
}
