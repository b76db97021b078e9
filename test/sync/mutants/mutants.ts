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
  mutant('no intent', 'a request leaves without a record that binds its rows', [
    edit(
      `${OUTBOX}/save-intent.ts`,
      "verb, state, sent, base) VALUES (?,?,?,?,?,'SENT',?,?)",
      "verb, state, sent, base) VALUES (?,?,?,?,?,'RETURNED',?,?)",
    ),
  ]),
  mutant('intent after the request', 'the record of a request is written once its answer is there', [
    edit(
      `${SYNC}/send.ts`,
      '      const intent = await recordIntent(ctx, batch);\n',
      `      const early = await withRequestSlot(ctx, 'request', () => maxRequests(ctx), request);
      request = async () => early;
      const intent = await recordIntent(ctx, batch);
`,
    ),
  ]),
  mutant('5xx sent again', 'a broken service counts as one that did nothing', [
    edit(
      'main/api/classify-response.ts',
      '  return inDoubt(`the service answered',
      "  if (status > 0) return { class: 'NOT_SENT', cause: 'a broken service', security: false };\n  return inDoubt(`the service answered",
    ),
  ]),
  mutant('cut connections sent again', 'a connection that ended early counts as one that carried nothing', [
    edit(
      'main/api/classify-response.ts',
      "  if (seen.kind === 'broken') return inDoubt(seen.cause);",
      "  if (seen.kind === 'broken') return { class: 'NOT_SENT', cause: seen.cause, security: false };",
    ),
  ]),
  mutant('no recovery at the start of a process', 'what an earlier process was sending stays as it was', [
    edit(`${OUTBOX}/unconfirmed.ts`, 'recovered: recover(store) }', 'recovered: 0 }'),
  ]),
  mutant('no recovery at the start of a round', 'what a round could not write down is never looked for', [
    edit(`${SYNC}/run.ts`, '  await ctx.ports.outbox.recover();\n  enter', '  enter'),
  ]),
  mutant('no settle window', 'two reads without the thing count at once', [
    edit(`${OUTBOX}/outbox-types.ts`, 'SETTLE_MS = 120_000', 'SETTLE_MS = 0'),
  ]),
  mutant('one read instead of two', 'a single read without the thing counts as proof', [
    edit(`${SYNC}/resolve.ts`, '  if (op.absentAt === null) {', '  if (op.absentAt === null && nowMs < settled) {'),
  ]),
  mutant('no pre-image', 'what was there before a create is not remembered', [
    edit(`${OUTBOX}/save-intent.ts`, 'batch.preImage === null ? null : JSON.stringify(batch.preImage)', 'null'),
  ]),
  mutant('results of another length', 'the results of an answer are matched by position whatever their number', [
    edit('main/api/classify-response.ts', '  if (list.length !== shape.elements) {', '  if (list.length > 1_000) {'),
  ]),
  mutant('ids that are taken', 'a thing that stands for another row already may be found a second time', [
    edit(
      `${SYNC}/resolve.ts`,
      '    return owner !== null && owner !== op.rowId;',
      '    return owner !== null && owner < 0;',
    ),
  ]),
  mutant('epochs ignored', 'a process that was taken over goes on writing', [
    edit(
      `${OUTBOX}/save-intent.ts`,
      "  numberOf(db, `SELECT value FROM outbox_meta WHERE key = 'epoch'`) === epoch;",
      "  numberOf(db, `SELECT value FROM outbox_meta WHERE key = 'epoch'`) >= epoch;",
    ),
  ]),
  mutant(
    'stale reads merged',
    'what a process read before it was taken over is merged after all',
    [edit(`${OUTBOX}/unconfirmed.ts`, '  if (!isCurrentOwner(store.db, args.epoch)) return { merged: false };\n', '')],
    1_004_500,
  ),
  mutant('no reading back', 'what was sent counts as what the service holds', [
    edit(`${SYNC}/run.ts`, '  await readAfterWrite(ctx);\n', ''),
    edit(`${SYNC}/run.ts`, 'await prefetchReadAfterWrite(part, campaignId);', 'return;'),
    edit(`${SYNC}/run.ts`, 'await readListAhead(part);', 'return;'),
  ]),
  mutant('429 for ever', 'a service that is always busy is asked without end', [
    edit(`${SYNC}/retry.ts`, 'export const LATER_MAX = 60;', 'export const LATER_MAX = Infinity;'),
  ]),
  mutant('no freeze', 'a group in doubt gets further creates', [
    edit(
      `${SYNC}/plan-preview.ts`,
      "blocked.set(freezeKey(op.kind, parent), 'in-doubt');",
      'blocked.delete(freezeKey(op.kind, parent));',
    ),
  ]),
  mutant('no block of rows in doubt', 'a row whose send is not settled is planned again', [
    edit(`${SYNC}/plan-preview.ts`, "      blocked.set(blockKey(op.kind, op.rowId), 'in-doubt');\n", ''),
  ]),
  mutant('no guard against two live sends', 'the store takes a second intent for a row in doubt', [
    edit(`${OUTBOX}/save-intent.ts`, '  if (live.length > 0)', '  if (live.length > 1_000)'),
    edit(`${OUTBOX}/schema.ts`, 'CREATE UNIQUE INDEX outbox_op_live ON', 'CREATE INDEX outbox_op_live ON'),
    edit(`${SYNC}/plan-preview.ts`, "      blocked.set(blockKey(op.kind, op.rowId), 'in-doubt');\n", ''),
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
