import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Faults to plant in the protocol, one at a time. Each takes one of its promises away; the simulator has to notice.
 * `from` stands in the file exactly once, so a mutant that no longer fits its source fails loudly.
 */
export interface ProtocolMutant {
  readonly name: string;
  /** What the program does without it. */
  readonly takesAway: string;
  readonly edits: readonly Edit[];
  /** Where to begin when only few lives notice it: a little before the life that once did. */
  readonly from?: number;
}

export interface Edit {
  /** Below the root of the repository. */
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

const edit = (file: string, from: string, to: string): Edit => ({ file, from, to });

const mutant = (name: string, takesAway: string, edits: readonly Edit[], from?: number): ProtocolMutant => ({
  name,
  takesAway,
  edits,
  ...(from === undefined ? {} : { from }),
});

const OUTBOX = 'main/store/outbox';
const SYNC = 'main/sync';

export const PROTOCOL_MUTANTS: readonly ProtocolMutant[] = [
  mutant('no intent', 'a request is sent without a record of its rows', [
    edit(`${OUTBOX}/save-intent.ts`, "batch.verb, op, 'SENT', null", "batch.verb, op, 'RETURNED', null"),
  ]),
  mutant('intent after the request', 'the record of a request is written after the response', [
    edit(
      `${SYNC}/send.ts`,
      '      const intent = await recordIntent(ctx, batch);\n',
      `      const early = await withRequestSlot(ctx, 'request', () => maxRequests(ctx), request);
      request = async () => early;
      const intent = await recordIntent(ctx, batch);
`,
    ),
  ]),
  mutant('5xx sent again', 'a server error is treated as if nothing was done', [
    edit(
      'main/api/classify-response.ts',
      '  return inDoubt(`the service answered',
      "  if (status > 0) return { class: 'NOT_SENT', cause: 'a broken service', security: false };\n  return inDoubt(`the service answered",
    ),
  ]),
  mutant('cut connections sent again', 'a cut connection is treated as if nothing was sent', [
    edit(
      'main/api/classify-response.ts',
      "  if (seen.kind === 'broken') return inDoubt(seen.cause);",
      "  if (seen.kind === 'broken') return { class: 'NOT_SENT', cause: seen.cause, security: false };",
    ),
  ]),
  mutant('no recovery at the start of a process', 'requests of an earlier process stay unresolved', [
    edit(`${OUTBOX}/unconfirmed.ts`, 'recovered: recover(store) }', 'recovered: 0 }'),
  ]),
  mutant('no recovery at the start of a run', 'requests that a run could not record are never checked', [
    edit(`${SYNC}/run.ts`, '  await ctx.ports.outbox.recover();\n  enter', '  enter'),
  ]),
  mutant('no settle window', 'two reads without the row count immediately', [
    edit(`${OUTBOX}/outbox-types.ts`, 'SETTLE_MS = 120_000', 'SETTLE_MS = 0'),
  ]),
  mutant('one read instead of two', 'a single read without the row counts as proof', [
    edit(`${SYNC}/resolve.ts`, '  if (op.absentAt === null) {', '  if (op.absentAt === null && nowMs < settled) {'),
  ]),
  mutant('no pre-image', 'the rows that existed before a create are not stored', [
    edit(`${OUTBOX}/save-intent.ts`, 'preImage === null ? null : JSON.stringify(preImage)', 'null'),
  ]),
  mutant('results of another length', 'results are matched by position, whatever their number', [
    edit('main/api/classify-response.ts', '  if (list.length !== shape.elements) {', '  if (list.length > 1_000) {'),
  ]),
  mutant('remote IDs in use', 'a remote row that already has a local row may be matched again', [
    edit(
      `${SYNC}/resolve.ts`,
      '    return owner !== null && owner !== op.rowId;',
      '    return owner !== null && owner < 0;',
    ),
  ]),
  mutant('epochs ignored', 'a process that was replaced continues to write', [
    edit(
      `${OUTBOX}/save-intent.ts`,
      "  numberOf(db, `SELECT value FROM outbox_meta WHERE key = 'epoch'`) === epoch;",
      "  numberOf(db, `SELECT value FROM outbox_meta WHERE key = 'epoch'`) >= epoch;",
    ),
  ]),
  mutant(
    'stale reads merged',
    'rows read before a process was replaced are still merged',
    [edit(`${OUTBOX}/unconfirmed.ts`, '  if (!isCurrentOwner(store.db, args.epoch)) return { merged: false };\n', '')],
    1_004_500,
  ),
  mutant('no reading back', 'sent values are treated as the values of the service', [
    edit(`${SYNC}/run.ts`, '  await readAfterWrite(ctx);\n', ''),
    edit(`${SYNC}/run.ts`, 'await prefetchReadAfterWrite(part, campaignId);', 'return;'),
    edit(`${SYNC}/run.ts`, 'await readListAhead(part);', 'return;'),
  ]),
  mutant('429 forever', 'a service that is always busy is called forever', [
    edit(`${SYNC}/retry.ts`, 'export const LATER_MAX = 60;', 'export const LATER_MAX = Infinity;'),
  ]),
  mutant('no freeze', 'an unconfirmed group gets more creates', [
    edit(
      `${SYNC}/plan-preview.ts`,
      "own.set(createBlockKey(kind, parent), 'in-doubt');",
      'own.delete(createBlockKey(kind, parent));',
    ),
  ]),
  mutant('no block of unconfirmed rows', 'a row with an unconfirmed request is planned again', [
    edit(`${SYNC}/plan-preview.ts`, "      blocked.set(rowKey(op.kind, op.rowId), 'in-doubt');\n", ''),
  ]),
  mutant('no guard against two open requests', 'the store accepts a second intent for an unconfirmed row', [
    edit(`${OUTBOX}/save-intent.ts`, '  if (live.length > 0)', '  if (live.length > 1_000)'),
    edit(`${OUTBOX}/schema.ts`, 'CREATE UNIQUE INDEX outbox_op_live ON', 'CREATE INDEX outbox_op_live ON'),
    edit(`${SYNC}/plan-preview.ts`, "      blocked.set(rowKey(op.kind, op.rowId), 'in-doubt');\n", ''),
  ]),
];

const root = join(import.meta.dirname, '..', '..', '..');

/**
 * @returns the sources of a mutant with its faults planted, under their absolute paths
 * @throws when one of its texts does not stand in its file exactly once: the source has moved on
 */
export function planted({ name, edits }: ProtocolMutant): ReadonlyMap<string, string> {
  const changed = new Map<string, string>();
  for (const { file, from, to } of edits) {
    const path = join(root, file);
    const source = changed.get(path) ?? readFileSync(path, 'utf8');
    if (source.split(from).length !== 2) throw new Error(`"${name}" does not fit ${file} exactly once: ${from}`);
    changed.set(
      path,
      source.replace(from, () => to),
    );
  }
  return changed;
}
