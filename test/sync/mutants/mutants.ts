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

const OUTBOX = 'main/store/outbox';
const SYNC = 'main/sync';

export const PROTOCOL_MUTANTS: readonly ProtocolMutant[] = [
  {
    name: 'no intent',
    takesAway: 'a request leaves without a record that binds its rows',
    edits: [
      {
        file: `${OUTBOX}/save-intent.ts`,
        from: "verb, state, sent, base) VALUES (?,?,?,?,?,'SENT',?,?)",
        to: "verb, state, sent, base) VALUES (?,?,?,?,?,'RETURNED',?,?)",
      },
    ],
  },
  {
    name: 'intent after the request',
    takesAway: 'the record of a request is written once its answer is there',
    edits: [
      {
        file: `${SYNC}/send.ts`,
        from: '      const intent = await recordIntent(ctx, batch);\n',
        to: `      const early = await withRequestSlot(ctx, 'request', () => maxRequests(ctx), request);
      request = async () => early;
      const intent = await recordIntent(ctx, batch);
`,
      },
    ],
  },
  {
    name: '5xx sent again',
    takesAway: 'a broken service counts as one that did nothing',
    edits: [
      {
        file: 'main/api/classify-response.ts',
        from: '  return inDoubt(`the service answered',
        to: "  if (status > 0) return { class: 'NOT_SENT', cause: 'a broken service', security: false };\n  return inDoubt(`the service answered",
      },
    ],
  },
  {
    name: 'cut connections sent again',
    takesAway: 'a connection that ended early counts as one that carried nothing',
    edits: [
      {
        file: 'main/api/classify-response.ts',
        from: "  if (seen.kind === 'broken') return inDoubt(seen.cause);",
        to: "  if (seen.kind === 'broken') return { class: 'NOT_SENT', cause: seen.cause, security: false };",
      },
    ],
  },
  {
    name: 'no recovery at the start of a process',
    takesAway: 'what an earlier process was sending stays as it was',
    edits: [
      {
        file: `${OUTBOX}/unconfirmed.ts`,
        from: 'recovered: recover(store) }',
        to: 'recovered: 0 }',
      },
    ],
  },
  {
    name: 'no recovery at the start of a round',
    takesAway: 'what a round could not write down is never looked for',
    edits: [{ file: `${SYNC}/run.ts`, from: '  await ctx.ports.outbox.recover();\n  enter', to: '  enter' }],
  },
  {
    name: 'no settle window',
    takesAway: 'two reads without the thing count at once',
    edits: [{ file: `${OUTBOX}/outbox-types.ts`, from: 'SETTLE_MS = 120_000', to: 'SETTLE_MS = 0' }],
  },
  {
    name: 'one read instead of two',
    takesAway: 'a single read without the thing counts as proof',
    edits: [
      {
        file: `${SYNC}/resolve.ts`,
        from: '  if (op.absentAt === null) {',
        to: '  if (op.absentAt === null && nowMs < settled) {',
      },
    ],
  },
  {
    name: 'no pre-image',
    takesAway: 'what was there before a create is not remembered',
    edits: [
      {
        file: `${OUTBOX}/save-intent.ts`,
        from: 'batch.preImage === null ? null : JSON.stringify(batch.preImage)',
        to: 'null',
      },
    ],
  },
  {
    name: 'results of another length',
    takesAway: 'the results of an answer are matched by position whatever their number',
    edits: [
      {
        file: 'main/api/classify-response.ts',
        from: '  if (list.length !== shape.elements) {',
        to: '  if (list.length > 1_000) {',
      },
    ],
  },
  {
    name: 'ids that are taken',
    takesAway: 'a thing that stands for another row already may be found a second time',
    edits: [
      {
        file: `${SYNC}/resolve.ts`,
        from: '    return owner !== null && owner !== op.rowId;',
        to: '    return owner !== null && owner < 0;',
      },
    ],
  },
  {
    name: 'epochs ignored',
    takesAway: 'a process that was taken over goes on writing',
    edits: [
      {
        file: `${OUTBOX}/save-intent.ts`,
        from: "  numberOf(db, `SELECT value FROM outbox_meta WHERE key = 'epoch'`) === epoch;",
        to: "  numberOf(db, `SELECT value FROM outbox_meta WHERE key = 'epoch'`) >= epoch;",
      },
    ],
  },
  {
    name: 'stale reads merged',
    takesAway: 'what a process read before it was taken over is merged after all',
    from: 1_004_500,
    edits: [
      {
        file: `${OUTBOX}/unconfirmed.ts`,
        from: '  if (!isCurrentOwner(store.db, args.epoch)) return { merged: false };\n',
        to: '',
      },
    ],
  },
  {
    name: 'no reading back',
    takesAway: 'what was sent counts as what the service holds',
    edits: [
      { file: `${SYNC}/run.ts`, from: '  await readAfterWrite(ctx);\n', to: '' },
      { file: `${SYNC}/run.ts`, from: 'await prefetchReadAfterWrite(part, campaignId);', to: 'return;' },
      { file: `${SYNC}/run.ts`, from: 'await readListAhead(part);', to: 'return;' },
    ],
  },
  {
    name: '429 for ever',
    takesAway: 'a service that is always busy is asked without end',
    edits: [
      { file: `${SYNC}/retry.ts`, from: 'export const LATER_MAX = 60;', to: 'export const LATER_MAX = Infinity;' },
    ],
  },
  {
    name: 'no freeze',
    takesAway: 'a group in doubt gets further creates',
    edits: [
      {
        file: `${SYNC}/planning.ts`,
        from: "blocked.set(freezeKey(op.kind, parent), 'in-doubt');",
        to: 'blocked.delete(freezeKey(op.kind, parent));',
      },
    ],
  },
  {
    name: 'no block of rows in doubt',
    takesAway: 'a row whose send is not settled is planned again',
    edits: [
      {
        file: `${SYNC}/planning.ts`,
        from: "      blocked.set(blockKey(op.kind, op.rowId), 'in-doubt');\n",
        to: '',
      },
    ],
  },
  {
    name: 'no guard against two live sends',
    takesAway: 'the store takes a second intent for a row in doubt',
    edits: [
      { file: `${OUTBOX}/save-intent.ts`, from: '  if (live.length > 0)', to: '  if (live.length > 1_000)' },
      {
        file: `${OUTBOX}/schema.ts`,
        from: 'CREATE UNIQUE INDEX outbox_op_live ON',
        to: 'CREATE INDEX outbox_op_live ON',
      },
      {
        file: `${SYNC}/planning.ts`,
        from: "      blocked.set(blockKey(op.kind, op.rowId), 'in-doubt');\n",
        to: '',
      },
    ],
  },
];
